import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeEtag, matchesEtag } from './etag.ts';

test('an entity tag depends only on the text', () => {
  assert.equal(makeEtag('a'), makeEtag('a'));
  assert.notEqual(makeEtag('a'), makeEtag('b'));
  assert.match(makeEtag('a'), /^"[\w-]{22}"$/);
});

test('If-None-Match matches a single tag, a weak tag, a tag in a list and the wildcard *', () => {
  const etag = makeEtag('a');
  for (const header of [
    etag,
    `W/${etag}`,
    ` ${etag} `,
    `"other", ${etag}`,
    `"other",W/${etag},"more"`,
    '*',
    ' * ',
  ]) {
    assert.equal(matchesEtag(header, etag), true, header);
  }
  for (const header of [undefined, '', '"other"', etag.slice(1, -1), `w/${etag}`, '"*"', '***']) {
    assert.equal(matchesEtag(header, etag), false, header);
  }
});
