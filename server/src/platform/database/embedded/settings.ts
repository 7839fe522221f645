import { totalmem } from 'node:os';
import { port } from './socket-folder.ts';

const megabyte = 1024 ** 2;

/** An eighth of what this process may use, and never so much that the rest of the platform would feel it. */
export function chooseBuffers(machineBytes: number, allowedBytes: number | undefined): string {
  // Without a limit, it is said to be 0 or larger than any machine.
  const bytes = allowedBytes ? Math.min(machineBytes, allowedBytes) : machineBytes;
  return `${Math.round(Math.min(Math.max(bytes / 8 / megabyte, 32), 1024))}MB`;
}

/** Given on the command line, where they outweigh every file of the cluster. */
export function listServerArguments(cluster: string, socketFolder: string): string[] {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    unix_socket_permissions: '0700',
    port,
    max_connections: 100,
    shared_buffers: chooseBuffers(totalmem(), process.constrainedMemory()),
    max_wal_size: '1GB',
    // An acknowledged write survives a power cut: these two are the promise, whatever a file says.
    fsync: 'on',
    synchronous_commit: 'on',
    // Our queries are short; compiling one costs more than running it.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    // A failing statement may hold what people said; its error is logged without its text.
    log_min_error_statement: 'panic',
  };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}
