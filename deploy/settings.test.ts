import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { showHelp } from '../packages/server/src/cli/commands.ts';
import { isOpenToStrangers } from '../packages/server/src/features/accounts/registration/open-registration.ts';
import { readConfig } from '../packages/server/src/platform/config.ts';
import { imageSettings } from './container/image-settings.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const guide = read('docs/operations.md');

/** Lists all settings of the server, that is, all environment variables that it reads. */
function listSettings(): Set<string> {
  const asked = new Set<string>();
  const environment = new Proxy<Record<string, string>>(
    {},
    { get: (_target, name) => void asked.add(String(name)) },
  );
  readConfig(environment);
  return asked;
}
const settings = listSettings();

/**
 * Names in capitals that are not settings of the server. They are settings of Node, settings of other
 * services in compose.yaml, and an error code.
 */
const NOT_OURS = new Set([
  'NODE_ENV',
  'NODE_OPTIONS',
  'PATH',
  'POSTGRES_PASSWORD',
  'LIMIT_REACHED',
]);

function checkNames(names: string[], where: string): void {
  assert.ok(names.length > 0, where);
  for (const name of names.filter((one) => !NOT_OURS.has(one))) {
    assert.ok(settings.has(name), `${where}: there is no setting ${name}`);
  }
}

/** Checks that a list has exactly the settings of the server, each with its default value. */
function checkDefaults(listed: [name: string, value: string][], where: string): void {
  const names = listed.map(([name]) => name);
  assert.deepEqual(names.toSorted(), [...settings].toSorted(), where);
  const given = Object.fromEntries(listed.filter(([, value]) => value !== ''));
  assert.deepEqual(readConfig(given), readConfig({}), `defaults in ${where}`);
}

describe('settings', () => {
  test('the help lists each setting with its default', () => {
    const lines = showHelp().split('Settings are')[1]!;
    const listed = [...lines.matchAll(/^ {2}([A-Z_]+)=(\S*)/gm)].map(
      ([, name, value]) => [name!, value!] as [string, string],
    );
    checkDefaults(listed, 'help');
  });

  test('docs/operations.md lists each setting with its default', () => {
    const table = guide.split('## Settings')[1]!.split('## ')[0]!;
    const rows = [...table.matchAll(/^\| `([A-Z_]+)` \| ?(.*?) ?\| .+ \|$/gm)];
    const listed = rows.map(([, name, cell]) => {
      const value = /^`(.*)`$/.exec(cell!)?.[1] ?? '';
      return [name!, value] as [string, string];
    });
    checkDefaults(listed, 'docs/operations.md');
  });

  test('the server accepts each setting in the Dockerfile, the example and the systemd unit', () => {
    const { env } = imageSettings;
    checkNames(Object.keys(env), 'Dockerfile');
    readConfig(env);
    const example = readEnvironment(read('deploy/example.env'));
    checkNames(Object.keys(example), 'deploy/example.env');
    assert.equal(isOpenToStrangers(readConfig(example)), false, 'the example lets strangers in');
    assert.equal(isOpenToStrangers(readConfig({ ...example, REGISTRATION: '' })), true);
    const [, line = ''] = /^Environment=(.*)$/m.exec(read('deploy/overworld.service')) ?? [];
    const unit = readEnvironment(line.replaceAll(' ', '\n'));
    checkNames(Object.keys(unit), 'deploy/overworld.service');
    readConfig(unit);
  });

  test('every setting that docs/operations.md or the README names exists', () => {
    for (const path of ['docs/operations.md', 'README.md']) {
      const named = [...read(path).matchAll(/(?:`|^)([A-Z]+_[A-Z_]+)[`=]/gm)].map(
        ([, name]) => name!,
      );
      checkNames([...new Set(named)], path);
    }
  });
});

const readEnvironment = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [
      name!,
      value!.replaceAll('"', ''),
    ]),
  );

interface Compose {
  services: Record<
    string,
    {
      image?: string;
      command?: string | string[];
      environment?: Record<string, string | number>;
      env_file?: string;
      volumes?: string[];
      ports?: string[];
      healthcheck?: object;
      depends_on?: Record<string, { condition: string }>;
      deploy?: { resources: { limits: { memory: string } } };
      logging?: object;
      restart?: string;
    }
  >;
  volumes: Record<string, unknown>;
  networks: { default: { ipam: { config: [{ subnet: string; gateway: string }] } } };
}

/** Maps each compose file to the name of its PostgreSQL service, which is the host in `DATABASE_URL`. */
const COMPOSE_FILES = { 'compose.yaml': 'postgres', 'deploy/compose-cluster.yaml': 'coordinator' };
const parseCompose = (path: string) => parse(read(path), { merge: true }) as Compose;

for (const [path, database] of Object.entries(COMPOSE_FILES)) {
  describe(path, () => {
    const compose = parseCompose(path);
    const services = Object.entries(compose.services);

    test('sets only settings that exist, and takes secrets from .env', () => {
      const { environment = {}, env_file } = compose.services.overworld!;
      checkNames(Object.keys(environment), path);
      assert.equal(env_file, '.env');
      const password = '${POSTGRES_PASSWORD:?is not set in .env}';
      assert.ok(read(path).includes(password));
      const filled = Object.entries(environment).map(([name, value]) => [
        name,
        String(value).replace(password, 'filled-in'),
      ]);
      const config = readConfig(Object.fromEntries(filled));
      assert.equal(config.database_url, `postgres://overworld:filled-in@${database}/overworld`);
      assert.ok(compose.services[new URL(config.redis_url!).hostname]);
      assert.match(read('.gitignore'), /^\.env$/m);
    });

    test('a service waits for others, restarts, has a memory limit, and uses declared volumes', () => {
      for (const [name, service] of services) {
        assert.ok(service.deploy!.resources.limits.memory, name);
        const ends = name === 'join';
        assert.equal(service.restart, ends ? 'on-failure' : 'unless-stopped', name);
        assert.ok(service.logging, name);
        for (const volume of service.volumes ?? []) {
          const [source] = volume.split(':');
          if (source!.startsWith('./')) assert.ok(existsSync(join(root, source!)), volume);
          else assert.ok(Object.hasOwn(compose.volumes, source!), volume);
        }
        for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
          if (needed === 'join') {
            assert.equal(condition, 'service_completed_successfully');
          } else {
            assert.equal(condition, 'service_healthy');
            assert.ok(compose.services[needed]!.healthcheck, needed);
          }
        }
        if (name !== 'overworld') assert.match(service.image!, /:\d+\.\d+/, name);
      }
    });

    test('believes only the gateway of its network about the addresses of callers', () => {
      const { subnet, gateway } = compose.networks.default.ipam.config[0]!;
      assert.equal(compose.services.overworld!.environment!.TRUST_PROXY, gateway);
      assert.equal(subnet, gateway.replace(/\.1$/, '.0/24'));
    });

    test('publishes only the port of the server, and only to this machine', () => {
      assert.deepEqual(
        services.flatMap(([, { ports = [] }]) => ports),
        ['127.0.0.1:8080:8080'],
      );
    });
  });
}

test('the cluster has the services of compose.yaml, and each of its nodes has its own volume', () => {
  const [one, cluster] = Object.keys(COMPOSE_FILES).map(parseCompose);
  assert.deepEqual(cluster!.services.valkey, one!.services.valkey);
  const findServer = ({ services }: Compose) => {
    const server = services.overworld!;
    delete server.depends_on;
    delete server.environment!.DATABASE_URL;
    delete server.environment!.TENANT_GROUPS;
    return server;
  };
  assert.deepEqual(findServer(cluster!), findServer(one!));
  const nodes = ['coordinator', 'worker-1', 'worker-2'].map((name) => cluster!.services[name]!);
  assert.equal(new Set(nodes.flatMap(({ volumes = [] }) => volumes)).size, nodes.length);
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const skip = hasSystemd ? false : 'systemd-analyze was not found';
if (skip) console.log(`The unit of systemd is not verified: ${skip}.`);

test('systemd accepts the unit and rates its exposure as low', { skip }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'overworld-unit-'));
  try {
    // systemd looks for the program and the user of the unit, but this machine does not have them.
    const here = read('deploy/overworld.service')
      .replaceAll('/opt/overworld/', root)
      .replaceAll(/^(User|Group)=.*$/gm, '$1=root');
    const path = join(folder, 'overworld.service');
    await writeFile(path, here);
    const verified = spawnSync('systemd-analyze', ['verify', '--man=no', path], {
      encoding: 'utf8',
    });
    assert.deepEqual([verified.status, verified.stderr], [0, '']);
    const rated = spawnSync('systemd-analyze', ['security', '--offline=yes', path], {
      encoding: 'utf8',
    });
    const level = /Overall exposure level for \S+: ([\d.]+)/.exec(rated.stdout)?.[1];
    assert.ok(Number(level) < 3, rated.stdout);
  } finally {
    await rm(folder, { recursive: true });
  }
});
