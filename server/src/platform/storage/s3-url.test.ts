import { expect, test } from 'vitest';
import { parseS3Url } from './s3-url.ts';

test('a bucket is in the path of a self-hosted store, and in the host name at Amazon', () => {
  expect(parseS3Url('s3://recordings?endpoint=http://store:9000')).toEqual({
    bucket: 'recordings',
    prefix: '',
    region: 'us-east-1',
    origin: 'http://store:9000',
    path: '/recordings/',
    isDirect: false,
  });
  expect(parseS3Url('s3://recordings/a/b/?region=eu-central-1&direct=yes')).toEqual({
    bucket: 'recordings',
    prefix: 'a/b/',
    region: 'eu-central-1',
    origin: 'https://recordings.s3.eu-central-1.amazonaws.com',
    path: '/',
    isDirect: true,
  });
});

test('the URL can select the style', () => {
  const path = parseS3Url('s3://recordings?style=path');
  expect([path.origin, path.path]).toEqual(['https://s3.us-east-1.amazonaws.com', '/recordings/']);
  const virtual = parseS3Url('s3://recordings?endpoint=https://store:9000/&style=virtual&direct=no');
  expect([virtual.origin, virtual.path, virtual.isDirect]).toEqual(['https://recordings.store:9000', '/', false]);
});

test('errors name the fault and do not repeat the URL', () => {
  const wrong = {
    'https://recordings': /begin with s3/,
    's3://': /bucket/,
    's3://key:hunter2@recordings': /credentials/,
    's3://Recordings': /bucket/,
    's3://ab': /bucket/,
    's3://recordings:80': /bucket/,
    's3://recordings/a b': /prefix/,
    's3://recordings/a//b': /prefix/,
    's3://recordings?endpoint=store:9000': /endpoint/,
    's3://recordings?endpoint=ftp://store': /endpoint/,
    's3://recordings?endpoint=https://store/path': /endpoint/,
    's3://recordings?endpoint=https://key:hunter2@store': /endpoint/,
    's3://recordings?region=a b': /region/,
    's3://recordings?style=other': /style must be path or virtual/,
    's3://recordings?direct=true': /direct must be no or yes/,
    's3://recordings?secret=hunter2': /no setting "secret"/,
  };
  for (const [url, message] of Object.entries(wrong)) {
    expect(() => parseS3Url(url), url).toThrow(message);
    expect(() => parseS3Url(url), url).not.toThrow(/hunter2/);
  }
});
