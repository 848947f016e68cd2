import { CommandError } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';
import { writeExactly } from '../../platform/json/exact-json.ts';
import { readFolder, removeFile, rewrite, writeNew } from './folder.ts';
import type { Definition, FileDefinition } from './folder.ts';
import { openRemote, Refused } from './remote.ts';
import { showPlan } from './show-plan.ts';
import type { Plan } from './show-plan.ts';

const CONNECTION = {
  server: { type: 'string' },
  game: { type: 'string' },
  json: { type: 'boolean' },
} as const;
const PRUNE = { prune: { type: 'boolean' } } as const;
const USAGE = '<folder> [--server=<address>] [--game=<id>] [--json]';

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
    const lines = error.problems.map(({ kind, key, error: words }) => {
      const file = files.find((it) => it.kind === kind && it.key === key);
      if (file === undefined) return `${kind} "${key}": ${words}`;
      return `${file.file}:${file.lineOf(words.split(/[ .[]/, 1)[0]!)}: ${words}`;
    });
    throw new CommandError(lines.join('\n'));
  }
}

export const pullCommand: Command = {
  name: 'pull',
  usage: `${USAGE} [--prune]`,
  summary: 'Write the definitions of a game to files, of which comments and order stay',
  options: { ...CONNECTION, ...PRUNE },
  words: 1,
  async run(context) {
    const [folder = ''] = context.words;
    const remote = open(context);
    const files = await readFolder(folder);
    const { definitions } = (await explaining(files, () => remote.get('/definitions'))) as {
      definitions: Definition[];
    };
    const plan = (await explaining(files, () =>
      remote.post('/definitions/plan', { definitions: toDocuments(files), prune: true }),
    )) as Plan;
    const idOf = ({ kind, key }: { kind: string; key: string }) => `${kind} ${key}`;
    const byId = new Map(files.map((file) => [idOf(file), file]));
    const changed = new Map(plan.changes.map((change) => [idOf(change), change.fields]));
    const theirs = new Set(definitions.map(idOf));
    const written: string[] = [];
    for (const it of definitions) {
      const file = byId.get(idOf(it));
      const fields = changed.get(idOf(it));
      if (file === undefined) written.push(await writeNew(folder, remote.url, it));
      else if (fields !== undefined) {
        await rewrite(file, it.definition, (member) =>
          fields.some(({ path }) => path === member || path.startsWith(`${member}.`)),
        );
        written.push(file.file);
      }
    }
    for (const file of files.filter((it) => !theirs.has(idOf(it)))) {
      if (!context.options.prune) {
        context.tell(`${file.file}: the game has no such definition; --prune deletes the file`);
        continue;
      }
      await removeFile(file);
      written.push(file.file);
    }
    if (context.options.json) return context.say(JSON.stringify({ files: written }));
    for (const file of written) context.say(file);
    context.tell(
      written.length === 0 ? 'Nothing has changed.' : `${written.length} files changed.`,
    );
  },
};

async function makePlan(context: CommandContext) {
  const remote = open(context);
  const files = await readFolder(context.words[0] ?? '');
  const body = { definitions: toDocuments(files), prune: context.options.prune === true };
  const plan = (await explaining(files, () => remote.post('/definitions/plan', body))) as Plan;
  return { remote, files, body, plan };
}

const say = ({ options, say: print }: CommandContext, plan: Plan) =>
  print(options.json ? writeExactly(plan) : showPlan(plan));

export const planCommand: Command = {
  name: 'plan',
  usage: `${USAGE} [--prune]`,
  summary: 'Show what the files of a folder would change in a game',
  options: { ...CONNECTION, ...PRUNE },
  words: 1,
  async run(context) {
    say(context, (await makePlan(context)).plan);
  },
};

export const applyCommand: Command = {
  name: 'apply',
  usage: `${USAGE} --plan=<id> [--prune] [--replace-used] [--commit=<name>]`,
  summary: 'Make the changes of a plan, all or none',
  options: {
    ...CONNECTION,
    ...PRUNE,
    plan: { type: 'string' },
    commit: { type: 'string' },
    'replace-used': { type: 'boolean' },
  },
  words: 1,
  async run(context) {
    const { plan: id, commit } = context.options;
    if (typeof id !== 'string') {
      throw new CommandError(
        'Name the plan that you have looked at by --plan=<id>; overworld plan shows it.',
      );
    }
    const { remote, files, body } = await makePlan(context);
    const applied = await explaining(files, () =>
      remote.post('/definitions/apply', {
        ...body,
        plan: id,
        replace_used: context.options['replace-used'] === true,
        ...(commit !== undefined && { commit }),
      }),
    );
    say(context, applied as Plan);
  },
};
