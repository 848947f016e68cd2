import module from 'node:module';
import { workerData } from 'node:worker_threads';
import type { WorkerOptions } from './messages.ts';

// A thread does not inherit the compile cache. Without the cache, Node strips the types of all modules again.
const { compile_cache } = workerData as WorkerOptions;
if (compile_cache !== undefined) module.enableCompileCache(compile_cache);
await import('./worker.ts');
