// Development: the server from its sources, restarted on changes, and the console with hot reload.
//   npm run dev      then open the address that is printed
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { build } from './build.mjs';
import { consoleConfig } from './console-config.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const serverPort = process.env.EARSHOT_PORT ?? '8080';
const consolePort = Number(process.env.EARSHOT_DEV_PORT ?? '5173');
const host = '127.0.0.1';

/** Paths that the server answers; all others are pages of the console. */
const serverPaths = String.raw`^/(v1|api|pages|openapi\.json|healthz|readyz|metrics)(/|\?|$)`;

/** The page names hashed files in a build, and sources in development. */
const devPage = {
  name: 'dev-page',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) =>
      html
        .replace('<script src="%theme%">', '<script type="module" src="/src/theme-first.ts">')
        .replace('%style%', '/src/styles/style.css')
        .replace('%preloads%', '')
        .replace('%main%', '/src/main.tsx'),
  },
};

// The server reads the built console at its start.
await build({ ifNeeded: true });

const vite = await createServer({
  ...consoleConfig(root),
  plugins: [devPage],
  server: {
    host,
    port: consolePort,
    strictPort: true,
    // The Host header is kept, so that the server sees requests of its own origin.
    proxy: { [serverPaths]: { target: `http://${host}:${serverPort}`, changeOrigin: false } },
  },
});
await vite.listen();

const url = `http://${host}:${consolePort}`;
const server = spawn(
  join(root, 'node_modules', '.bin', 'tsx'),
  ['watch', '--clear-screen=false', join(root, 'server', 'src', 'main.ts')],
  { cwd: root, stdio: 'inherit', env: { EARSHOT_PUBLIC_URL: url, ...process.env, EARSHOT_PORT: serverPort } },
);
console.log(`Console with hot reload: ${url}`);

const stop = async () => {
  server.kill('SIGTERM');
  await vite.close();
};
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop());
server.on('exit', (code) => {
  process.exitCode = code ?? 0;
  void vite.close();
});
