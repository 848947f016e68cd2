/** A line of a Dockerfile, such as `COPY --from=build /app/package.json ./`. */
export interface Instruction {
  /** In capitals, such as `COPY`. */
  name: string;
  /** Options before the rest, without their dashes. */
  flags: Record<string, string>;
  /** All after the options, continued lines joined. */
  rest: string;
}

export interface Stage {
  /** Image that it begins from. */
  image: string;
  /** Of `AS`. */
  name: string | null;
  instructions: Instruction[];
}

/** What a container of the last stage is started with. */
export interface ImageConfig {
  env: Record<string, string>;
  user: { uid: number; gid: number };
  workdir: string;
  volumes: string[];
  /** Entry point and its arguments. */
  command: string[];
  /** Program and arguments that tell whether it is healthy. */
  healthcheck: string[];
}

/** Reads the part of Dockerfile's language that ours uses. */
export function parseDockerfile(text: string): Stage[] {
  const joined = text.replaceAll(/^\s*#.*\n/gm, '').replaceAll(/\\\n\s*/g, ' ');
  const stages: Stage[] = [];
  for (const line of joined.split('\n').filter((candidate) => candidate.trim() !== '')) {
    const instruction = parseInstruction(line);
    if (instruction.name === 'FROM') {
      const [, image = '', name = null] = /^(\S+)(?:\s+AS\s+(\S+))?$/.exec(instruction.rest) ?? [];
      stages.push({ image, name, instructions: [] });
    } else {
      const stage = stages.at(-1);
      if (stage === undefined) throw new Error(`Before any FROM: ${line}`);
      stage.instructions.push(instruction);
    }
  }
  return stages;
}

function parseInstruction(line: string): Instruction {
  const [, name = '', after = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
  const flags: Record<string, string> = {};
  const rest = after.replace(/^(?:--\S+\s+)+/, (options) => {
    for (const option of options.trim().split(/\s+/)) {
      const [, key = '', value = ''] = /^--([\w-]+)(?:=(.*))?$/.exec(option) ?? [];
      flags[key] = value;
    }
    return '';
  });
  return { name: name.toUpperCase(), flags, rest: rest.trim() };
}

/** The settings of a stage, and nothing of what it does. */
export function readImageConfig({ instructions }: Stage): ImageConfig {
  const all = (name: string) => instructions.filter((instruction) => instruction.name === name);
  const last = (name: string) => all(name).at(-1)?.rest ?? '';
  const [uid = 0, gid = uid] = last('USER').split(':').map(Number);
  return {
    env: Object.assign({}, ...all('ENV').map(({ rest }) => parseEnv(rest))),
    user: { uid, gid },
    workdir: last('WORKDIR') || '/',
    volumes: all('VOLUME').flatMap(({ rest }) => rest.split(/\s+/)),
    command: [...parseExec(last('ENTRYPOINT')), ...parseExec(last('CMD'))],
    healthcheck: parseExec(last('HEALTHCHECK').replace(/^CMD\s+/, '')),
  };
}

export const parseEnv = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(/\s+/).map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );

/** The form without a shell: with one, signals would not reach the server. */
function parseExec(text: string): string[] {
  return text === '' ? [] : (JSON.parse(text) as string[]);
}
