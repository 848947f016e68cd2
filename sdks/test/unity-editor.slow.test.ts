import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const unity_package = fileURLToPath(new URL('../unity', import.meta.url));
/** The editor's program, such as `/opt/Unity/Editor/Unity`. */
const editor = process.env.UNITY_EDITOR;

for (const platform of ['EditMode', 'PlayMode']) {
  test(
    `the tests of the package pass in Unity: ${platform}`,
    { skip: editor ? false : 'UNITY_EDITOR does not name an editor' },
    () => {
      const project = mkdtempSync(join(tmpdir(), 'overworld-unity-project-'));
      try {
        for (const folder of ['Assets', 'Packages']) mkdirSync(join(project, folder));
        const manifest = {
          dependencies: {
            'com.overworld.sdk': `file:${unity_package}`,
            'com.unity.test-framework': '1.1.33',
            'com.unity.modules.unitywebrequest': '1.0.0',
          },
          testables: ['com.overworld.sdk'],
        };
        writeFileSync(join(project, 'Packages/manifest.json'), JSON.stringify(manifest));
        const results = join(project, 'results.xml');
        const where = ['-batchmode', '-nographics', '-projectPath', project, '-logFile', '-'];
        const what = ['-runTests', '-testPlatform', platform, '-testResults', results];
        const { status, stdout } = spawnSync(editor!, [...where, ...what], { encoding: 'utf8' });
        assert.equal(status, 0, stdout.slice(-4_000));
        assert.match(readFileSync(results, 'utf8'), /<test-run [^>]*result="Passed"/);
      } finally {
        rmSync(project, { recursive: true });
      }
    },
  );
}
