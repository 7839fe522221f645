import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { wavHeader } from '../wav.ts';

/** Serves an endless stream at the pace of a microphone, at most until the test ends. */
export async function serveMicrophone(): Promise<{ readonly url: string; readonly stop: () => void }> {
  const http = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'audio/wav' }).write(wavHeader(0x7fff_0000));
    let at = 0;
    const timer = setInterval(() => {
      const sound = Buffer.alloc(3_200);
      for (let byte = 0; byte < sound.length; byte += 2, at++) sound.writeInt16LE(9_000 * Math.sin(at / 9), byte);
      response.write(sound);
    }, 100);
    response.on('close', () => clearInterval(timer));
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const stop = () => {
    http.closeAllConnections();
    http.close();
  };
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/live.wav`;
  onTestFinished(stop);
  return { url, stop };
}
