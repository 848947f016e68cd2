import type { ShownPlan } from '@overworld/contract/definitions/plan-words';
import { CommandError } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';
import { writeExactly } from '../../platform/json/exact-json.ts';
import { createFolderChange } from './folder-change.ts';
import { makeFile, readFolder } from './folder.ts';
import type { Definition, FileDefinition } from './read-file.ts';
import { chooseFiles } from './choose-files.ts';
import { FOR_PLAN, FOR_PULL, listSizeProblems, requireFit } from './plan-size.ts';
import { FileProblems, withJsonFailures } from './problems.ts';
import { showPlanProgress } from './plan-progress.ts';
import { rewrite } from './rewrite-file.ts';
import { openRemote, Refused } from './remote.ts';
import type { Remote, RemoteProgress } from './remote.ts';
import { showPlan } from './show-plan.ts';

const CONNECTION = {
  server: { type: 'string' },
  game: { type: 'string' },
  json: { type: 'boolean' },
} as const;
const PRUNE = { prune: { type: 'boolean' } } as const;
const COPY = {
  from: { type: 'string' },
  to: { type: 'string' },
  kinds: { type: 'string' },
} as const;
const COPY_USAGE = '[--from=<environment> --to=<environment> [--kinds=<kind>,…]]';
const USAGE = '<folder> [--server=<address>] [--game=<id>] [--json]';

/** A plan as the server answers it. */
interface Plan extends ShownPlan {
  /** Hash of all definitions of the game. */
  digest: string;
}

const open = ({ options, environment }: CommandContext) =>
  openRemote(
    (options.server as string | undefined) ?? environment.OVERWORLD_URL,
    (options.game as string | undefined) ?? environment.OVERWORLD_GAME,
    environment.OVERWORLD_TOKEN ?? '',
  );

const toDocuments = (files: readonly FileDefinition[]): Definition[] =>
  files.map(({ kind, key, definition }) => ({ kind, key, definition }));

/** Turns a refusal of the server into sentences with file and line. */
async function explaining<T>(files: readonly FileDefinition[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.problems.length === 0) throw new CommandError(`${error.message}.`);
    throw new FileProblems(
      error.problems.map(({ kind, key, error: words }) => {
        const found = files.find((it) => it.kind === kind && it.key === key);
        const line = found?.lineOf(words.split(/[ .[]/, 1)[0]!) ?? null;
        const file = found?.file ?? null;
        return { file, line, error: file === null ? `${kind} "${key}": ${words}` : words };
      }),
    );
  }
}

/** A game may change between the two requests of a pull, which are then sent again. */
const PULL_ATTEMPTS = 5;

/** Reads the definitions of the game, and the plan that would make the game what the files say. */
async function readBoth(remote: Remote, files: readonly FileDefinition[]) {
  for (let attempt = 1; ; attempt++) {
    const read = (await remote.get('/definitions')) as {
      digest: string;
      definitions: Definition[];
    };
    const body = { definitions: toDocuments(files), prune: true };
    const plan = (await remote.post('/definitions/plan?effects=none', body)) as Plan;
    if (plan.digest === read.digest) return { definitions: read.definitions, plan };
    if (attempt === PULL_ATTEMPTS) throw new CommandError('The game changes all the time.');
  }
}

export const pullCommand: Command = {
  name: 'pull',
  usage: `${USAGE} [--prune]`,
  summary: 'Write the definitions of a game to files, of which comments and order stay',
  options: { ...CONNECTION, ...PRUNE },
  words: 1,
  run: withJsonFailures(async (context) => {
    const [folder = ''] = context.words;
    const remote = open(context);
    const files = await readFolder(folder, false);
    requireFit(files, FOR_PULL);
    const { definitions, plan } = await explaining(files, () => readBoth(remote, files));
    const idOf = ({ kind, key }: { kind: string; key: string }) => `${kind} ${key}`;
    const byId = new Map(files.map((file) => [idOf(file), file]));
    const changed = new Map(plan.changes.map((change) => [idOf(change), change.fields]));
    const theirs = new Set(definitions.map(idOf));
    const change = createFolderChange();
    const written: string[] = [];
    const pulled: { file: string; definition: Definition }[] = [];
    for (const it of definitions) {
      const old = byId.get(idOf(it));
      const fields = changed.get(idOf(it));
      if (old === undefined) {
        const { file, text } = makeFile(folder, remote.url, it);
        change.write(file, text, true);
        written.push(file);
        pulled.push({ file, definition: it });
        continue;
      }
      pulled.push({ file: old.file, definition: it });
      if (fields !== undefined) {
        const differs = (member: string) =>
          fields.some(
            ({ path }) => path.startsWith(member) && /^($|[.[])/.test(path.slice(member.length)),
          );
        change.write(old.file, rewrite(old, it.definition, differs), false);
        written.push(old.file);
      }
    }
    for (const { file } of files.filter((it) => !theirs.has(idOf(it)))) {
      if (!context.options.prune) {
        context.tell(`${file}: the game has no such definition; --prune deletes the file`);
        continue;
      }
      change.remove(file);
      written.push(file);
    }
    await change.make();
    for (const problem of listSizeProblems(pulled)) context.tell(problem);
    if (context.options.json) return context.say(JSON.stringify({ files: written }));
    for (const file of written) context.say(file);
    context.tell(
      written.length === 0 ? 'Nothing has changed.' : `${written.length} files changed.`,
    );
  }),
};

type OnProgress = (progress: RemoteProgress) => void;

/** Reads the files and the options that a plan and its apply have in common. */
async function prepare(context: CommandContext) {
  const remote = open(context);
  const [folder = ''] = context.words;
  const files = chooseFiles(await readFolder(folder, true), folder, context.options);
  if (context.options.prune === true && files.length === 0) {
    throw new CommandError(`${folder} has no files, and --prune would delete all definitions.`);
  }
  requireFit(files, FOR_PLAN);
  const body = { definitions: toDocuments(files), prune: context.options.prune === true };
  const post = async (path: string, more: object = {}, onProgress?: OnProgress) =>
    (await explaining(files, () => remote.post(path, { ...body, ...more }, onProgress))) as Plan;
  return { post };
}

/** The exit code of a plan with changes. Scripts can tell it from a failure, which is 1. */
const CHANGES_EXIT_CODE = 2;

const say = ({ options, say: print }: CommandContext, plan: Plan) =>
  print(options.json ? writeExactly(plan) : showPlan(plan));

export const planCommand: Command = {
  name: 'plan',
  usage: `${USAGE} [--prune] ${COPY_USAGE}`,
  summary: 'Show what the files of a folder would change in a game, and for its players',
  options: { ...CONNECTION, ...PRUNE, ...COPY },
  words: 1,
  run: withJsonFailures(async (context) => {
    const { post } = await prepare(context);
    const progress = showPlanProgress();
    const plan = await post('/definitions/plan?format=progress', {}, progress.update);
    progress.done();
    say(context, plan);
    return plan.changes.length > 0 ? CHANGES_EXIT_CODE : 0;
  }),
};

export const applyCommand: Command = {
  name: 'apply',
  usage: `${USAGE} --plan=<id> [--prune] [--replace-used] [--commit=<name>] ${COPY_USAGE}`,
  summary: 'Make the changes of a plan, all or none',
  options: {
    ...CONNECTION,
    ...PRUNE,
    ...COPY,
    plan: { type: 'string' },
    commit: { type: 'string' },
    'replace-used': { type: 'boolean' },
  },
  words: 1,
  run: withJsonFailures(async (context) => {
    const { plan: id, commit } = context.options;
    if (typeof id !== 'string') {
      throw new CommandError(
        'Name the plan that you have looked at by --plan=<id>; overworld plan shows it.',
      );
    }
    const { post } = await prepare(context);
    const applied = await post('/definitions/apply', {
      plan: id,
      replace_used: context.options['replace-used'] === true,
      ...(commit !== undefined && { commit }),
    });
    say(context, applied);
  }),
};
