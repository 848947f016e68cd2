import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseEnv } from './dockerfile.ts';
import type { Instruction, Stage } from './dockerfile.ts';
import { runInside } from './isolation.ts';

/** Where a stage is built. */
export interface Building {
  /** The folder that is its file system, with what its base image holds. */
  root: string;
  /** What `COPY` takes: the checkout without what .dockerignore names. */
  context: string;
  /** File systems of the stages before, by name. */
  stages: Record<string, string>;
  /** What every `RUN` is given besides `ENV`, as Docker does with settings of proxies. */
  env: Record<string, string>;
}

const BASE_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Does what a stage of a Dockerfile says; throws with the output of a `RUN` that fails. */
export async function buildStage(stage: Stage, building: Building): Promise<void> {
  const env: Record<string, string> = { PATH: BASE_PATH, ...building.env };
  let workdir = '/';
  for (const instruction of stage.instructions) {
    switch (instruction.name) {
      case 'WORKDIR':
        workdir = instruction.rest;
        mkdirSync(join(building.root, workdir), { recursive: true });
        break;
      case 'ENV':
        Object.assign(env, parseEnv(instruction.rest));
        break;
      case 'COPY':
        copy(instruction, building, workdir);
        break;
      case 'RUN':
        await run(instruction.rest, building.root, env, workdir);
        break;
      case 'USER':
      case 'VOLUME':
      case 'EXPOSE':
      case 'HEALTHCHECK':
      case 'ENTRYPOINT':
      case 'CMD':
        break;
      default:
        throw new Error(`This does not know ${instruction.name}`);
    }
  }
}

async function run(command: string, root: string, env: Record<string, string>, workdir: string) {
  const child = runInside({ root, env, workdir }, ['sh', '-c', command]);
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [output, errors] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
  if ((await ended) !== 0) throw new Error(`RUN ${command}\n${output}${errors}`);
}

/** As Docker does, a folder's content is copied and not the folder itself. */
function copy({ flags, rest }: Instruction, building: Building, workdir: string) {
  const source = flags.from === undefined ? building.context : building.stages[flags.from];
  if (source === undefined) throw new Error(`There is no stage ${flags.from}`);
  const paths = rest.split(/\s+/);
  const target = posix.resolve(workdir, paths.pop()!);
  for (const path of paths) {
    const from = join(source, path);
    const isFolder = statSync(from).isDirectory();
    const to = join(building.root, target, isFolder || !rest.endsWith('/') ? '' : basename(path));
    mkdirSync(isFolder ? to : join(to, '..'), { recursive: true });
    // Links where both are on one disk: nobody may write to them in there.
    linkOrCopy(isFolder ? readdirSync(from).map((name) => join(from, name)) : [from], to);
  }
}

function linkOrCopy(paths: string[], to: string) {
  if (paths.length === 0) return;
  const linked = spawnSync('cp', ['-al', ...paths, to], { encoding: 'utf8' });
  if (linked.status === 0) return;
  const copied = spawnSync('cp', ['-af', ...paths, to], { encoding: 'utf8' });
  if (copied.status !== 0) throw new Error(copied.stderr);
}

/** Copies programs of this machine, and the libraries that they load, to the same paths. */
export function copyPrograms(programs: string[], root: string): void {
  const libraries = programs.flatMap(listLibraries);
  const paths = [...new Set([...programs.filter(isOfSystem), ...libraries])];
  const copied = spawnSync('cp', ['-L', '--parents', ...paths, root], { encoding: 'utf8' });
  if (copied.status !== 0) throw new Error(copied.stderr);
}

function listLibraries(program: string): string[] {
  const { stdout } = spawnSync('ldd', [program], { encoding: 'utf8' });
  return [...stdout.matchAll(/(?:=> |^\t)(\/\S+) \(/gm)]
    .map(([, path]) => path!)
    .filter(isOfSystem);
}

const isOfSystem = (path: string) => /^\/(usr|lib|lib64|bin|sbin)\//.test(path) && existsSync(path);
