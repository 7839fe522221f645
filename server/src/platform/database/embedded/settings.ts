import { totalmem } from 'node:os';
import { port } from './socket-folder.ts';

const megabyte = 1024 ** 2;

/**
 * An eighth of the memory that this process may use, up to a maximum that leaves enough for the rest of the platform.
 */
export function chooseBuffers(machineBytes: number, allowedBytes: number | undefined): string {
  // Without a limit the system reports 0 or a value larger than the machine's memory.
  const bytes = allowedBytes ? Math.min(machineBytes, allowedBytes) : machineBytes;
  return `${Math.round(Math.min(Math.max(bytes / 8 / megabyte, 32), 1024))}MB`;
}

/**
 * Passed on the command line, where they override every configuration file of the cluster.
 *
 * A disposable cluster loses its data in a power cut, and does not wait for the disk. Many tests use it at once.
 */
export function listServerArguments(cluster: string, socketFolder: string, isDisposable: boolean): string[] {
  const durable = isDisposable ? 'off' : 'on';
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    unix_socket_permissions: '0700',
    port,
    max_connections: isDisposable ? 400 : 100,
    shared_buffers: chooseBuffers(totalmem(), process.constrainedMemory()),
    max_wal_size: '1GB',
    // Acknowledged writes must survive a power cut, whatever a configuration file says.
    fsync: durable,
    synchronous_commit: durable,
    ...(isDisposable ? { full_page_writes: 'off' } : {}),
    // The queries are short; compiling one takes longer than running it.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    // A failing statement may contain transcripts, and its details may quote rows: its error is logged without both.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
  };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}
