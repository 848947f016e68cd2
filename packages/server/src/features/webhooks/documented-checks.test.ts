import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { makeWebhookSecret, signatureHeaders } from './signature.ts';

/** Runs the functions of docs/webhooks.md that check signatures. The messages are signed by this test. */

const run = promisify(execFile);

/** The code that follows each function: it reads cases as JSON, and prints the answers as JSON. */
const LANGUAGES = {
  js: {
    command: process.execPath,
    file: 'check.mjs',
    script: (code: string) => `${code}
      const cases = JSON.parse(process.argv[2]);
      const check = ([secret, headers, body]) => isFromOverworld(secret, headers, body);
      console.log(JSON.stringify(cases.map(check)));`,
  },
  python: {
    command: 'python3',
    file: 'check.py',
    script: (code: string) => `${code}
import json, sys
cases = json.loads(sys.argv[1])
print(json.dumps([is_from_overworld(s, h, b.encode()) for s, h, b in cases]))`,
  },
  php: {
    command: 'php',
    file: 'check.php',
    script: (code: string) => `<?php
${code}
$check = fn($case) => is_from_overworld(...$case);
echo json_encode(array_map($check, json_decode($argv[1], true)));`,
  },
};

let folder: string;
let guide: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overworld-test-'));
  guide = await readFile(new URL('../../../../../docs/webhooks.md', import.meta.url), 'utf8');
});
after(() => rm(folder, { recursive: true, force: true }));

type Case = [secret: string, headers: Record<string, string>, body: string];

/** Makes messages, and the right answer for each. */
function makeCases(): { cases: Case[]; expected: boolean[] } {
  const [secret, old] = [makeWebhookSecret(), makeWebhookSecret()];
  const body = '{"type":"player.erased","data":{"player_id":"Jürgen"}}';
  const sign = (secrets: string[], minutes = 0) =>
    signatureHeaders(secrets, 'id', body, new Date(Date.now() + minutes * 60_000));
  const signed = sign([secret]);
  const { 'webhook-signature': signature, ...unsigned } = signed;
  const judged: [Case, boolean][] = [
    [[secret, signed, body], true],
    [[secret, sign([old, secret]), body], true],
    [[secret, sign([secret], -4), body], true],
    [[secret, sign([old]), body], false],
    [[secret, sign([secret], -6), body], false],
    [[secret, sign([secret], 6), body], false],
    [[secret, signed, `${body} `], false],
    [[secret, { ...signed, 'webhook-id': 'other' }, body], false],
    [[secret, { ...signed, 'webhook-timestamp': 'soon' }, body], false],
    [[secret, { ...signed, 'webhook-signature': signature!.replace('v1,', 'é') }, body], false],
    [[secret, unsigned, body], false],
    [[secret, {}, body], false],
  ];
  return { cases: judged.map(([each]) => each), expected: judged.map(([, is_right]) => is_right) };
}

for (const [language, { command, file, script }] of Object.entries(LANGUAGES)) {
  const isMissing = spawnSync(command, ['--version']).error !== undefined;
  const skip = isMissing && `${command} is not installed`;
  test(
    `the documented ${language} function accepts our messages and no others`,
    { skip },
    async () => {
      const [, code] = new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``).exec(guide)!;
      await writeFile(join(folder, file), script(code!));
      const { cases, expected } = makeCases();
      const { stdout } = await run(command, [join(folder, file), JSON.stringify(cases)]);
      assert.deepEqual(JSON.parse(stdout), expected);
    },
  );
}
