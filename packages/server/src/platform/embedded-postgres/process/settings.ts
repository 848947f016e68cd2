import { statfsSync } from 'node:fs';
import { totalmem } from 'node:os';

const MB = 1024 * 1024;
const GB = 1024 * MB;

/**
 * Chooses the settings of the embedded PostgreSQL. They are given on its command line, so they always match
 * this release. PostgreSQL shares the machine with the game server, so its buffers take a quarter of the
 * memory, as PostgreSQL's manual advises. A report takes only two thirds of its usual time if the events that
 * it reads are in these buffers.
 */
export function chooseSettings(socketFolder: string): Record<string, string> {
  const memory = availableMemory();
  return {
    // These three settings guarantee that acknowledged writes are on disk. Never weaken them.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',

    listen_addresses: '',
    unix_socket_directories: quoteListItem(socketFolder),
    unix_socket_permissions: '0700',
    max_connections: '120',
    max_logical_replication_workers: '0',

    shared_buffers: megabytes(memory / 4, 64 * MB, 8 * GB),
    effective_cache_size: megabytes(memory / 2, 256 * MB, 64 * GB),
    work_mem: '8MB',
    maintenance_work_mem: megabytes(memory / 32, 64 * MB, 256 * MB),
    // Docker gives /dev/shm 64 MB, and one parallel hash join can need more.
    dynamic_shared_memory_type: hasRoomySharedMemory() ? 'posix' : 'sysv',

    // Writes come steadily, so fewer and longer checkpoints write each hot page less often. After a
    // crash, PostgreSQL replays two gigabytes in well under a minute.
    max_wal_size: '2GB',
    min_wal_size: '256MB',
    checkpoint_timeout: '10min',
    wal_buffers: '16MB',
    // The build has no liburing.
    io_method: 'worker',
    // Compiling short queries costs more than it saves, and this build has no LLVM.
    jit: 'off',
    random_page_cost: '1.1',
    autovacuum_naptime: '20s',

    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    log_checkpoints: 'off',
  };
}

/**
 * Finds the memory that we may use: the container's limit, if there is one, or else that of the machine.
 * Without a limit, Node reports an absurdly large number.
 */
function availableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

function hasRoomySharedMemory(): boolean {
  if (process.platform !== 'linux') return true;
  try {
    const { bsize, blocks } = statfsSync('/dev/shm');
    return bsize * blocks >= 256 * MB;
  } catch {
    return false;
  }
}

/** Writes an amount of memory, limited to these bounds, as a setting. */
const megabytes = (bytes: number, least: number, most: number) =>
  `${Math.floor(Math.min(Math.max(bytes, least), most) / MB)}MB`;

/** Quotes a folder for a setting that is a comma-separated list of folders. */
function quoteListItem(path: string): string {
  return `"${path.replaceAll('"', '""')}"`;
}
