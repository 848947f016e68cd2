import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { checkout, dockerfile, imageSettings, lastStage } from './image-settings.ts';

describe('the Dockerfile', () => {
  test('pins the version of each image that it begins from', () => {
    const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image!);
    assert.equal(images.length, 2);
    for (const image of images) assert.match(image, /^[\w/]+:\d+\.\d+[\w.-]*$/);
    // `torture/container.ts` builds on these releases of Debian, bookworm and trixie.
    assert.match(images[0]!, /^node:24\.[\d.]+-bookworm-slim$/);
    assert.match(images[1]!, /^debian:13\.[\d.]+-slim$/);
  });

  test('runs every step of the script, in order, and copies the result', () => {
    const lines = dockerfile.split('\n').filter((line) => /^(RUN|COPY|WORKDIR) /.test(line));
    assert.deepEqual(lines, [
      'WORKDIR /app',
      'COPY . .',
      'RUN --mount=type=cache,target=/root/.npm deploy/build-image.sh install',
      'RUN deploy/build-image.sh prune && deploy/build-image.sh copy /image',
      'RUN --mount=from=build,source=/app/deploy,target=/mnt /mnt/build-image.sh add-user /',
      'WORKDIR /app',
      'COPY --from=build /image ./',
    ]);
  });

  test('makes an image that runs as the owner of its volume, and not as root', () => {
    const user = /^([1-9]\d{4}):\1$/.exec(imageSettings.user)?.[1];
    assert.ok(user);
    const steps = readFileSync(join(checkout, 'deploy/build-image.sh'), 'utf8');
    assert.ok(steps.includes(`chown ${user}:${user} "$1${imageSettings.volume}"`));
    assert.equal(imageSettings.volume, imageSettings.env.DATA_DIR);
  });

  test('makes an image that starts the server and has a health check', () => {
    assert.deepEqual(imageSettings.command, ['overworld', 'start']);
    assert.ok(imageSettings.healthcheck.length > 0);
  });

  test('makes an image without the programs that built it', () => {
    assert.doesNotMatch(lastStage, /\b(apt|apt-get|npm)\b/);
    for (const [copy] of lastStage.matchAll(/^COPY .*$/gm)) assert.match(copy, /--from=build/);
  });

  test('can copy the sources, but no settings, data or history', () => {
    const rules = readFileSync(join(checkout, '.dockerignore'), 'utf8').split('\n').slice(1, -1);
    assert.equal(rules[0], '*');
    assert.deepEqual(
      rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1)),
      [
        '.npmrc',
        'LICENSE',
        'deploy/build-image.sh',
        'package-lock.json',
        'package.json',
        'packages',
        'scripts',
        'sdks/godot/addons',
        'sdks/pack.ts',
        'sdks/unity',
        'tsconfig.json',
      ],
    );
    for (const rule of ['**/dist', '**/node_modules', '**/test', '**/*.test.ts']) {
      assert.ok(rules.indexOf(rule) > rules.indexOf('!packages'), rule);
    }
  });
});
