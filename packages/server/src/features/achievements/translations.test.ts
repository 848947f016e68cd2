import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { createCatalogue } from './catalogue.ts';
import { makeAchievementStudio } from './test/studio.ts';

suite('achievements in several languages', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  /** Makes a game with an achievement in three languages, one without translations, and a hidden one. */
  async function makeGame() {
    const studio = await makeAchievementStudio(server);
    const { production_key: key } = studio;
    const translations = {
      de: { name: 'Erstes Blut', description: 'Gewinne' },
      'pt-BR': { name: 'Primeiro sangue' },
    };
    const definitions = [
      { key: 'first', name: 'First Blood', description: 'Win', points: 1, translations },
      { key: 'plain', name: 'Plain', points: 1 },
      {
        key: 'secret',
        name: 'Secret',
        hidden: true,
        points: 1,
        translations: { de: { name: 'Geheim' }, en: {} },
      },
    ];
    for (const body of definitions) assert.equal((await studio.create(body)).status, 201);
    const namesOf = async (query: string, accept_language?: string) => {
      const headers: Record<string, string> =
        accept_language === undefined ? {} : { 'accept-language': accept_language };
      const answer = await server.request('GET', `/v1/achievements?${query}`, { key, headers });
      assert.equal(answer.status, 200, answer.text);
      assert.ok(!answer.text.includes('translations'));
      return answer.body.achievements.map(({ name }: { name: string }) => name).join(', ');
    };
    const unlock = (achievement_key: string, query = '', headers = {}) =>
      server.request('POST', `/v1/achievements/unlock${query}`, {
        key,
        headers,
        body: { achievement_key, player_id: 'p1' },
      });
    return { ...studio, namesOf, unlock, translations };
  }

  test('the list is in the language of `locale`, else of Accept-Language, else the default one', async () => {
    const { namesOf } = await makeGame();
    const [by_default, german] = ['First Blood, Plain, ???', 'Erstes Blut, Plain, ???'];
    assert.equal(await namesOf(''), by_default);
    assert.equal(await namesOf('locale=de-AT'), german);
    assert.equal(await namesOf('', 'fr, de;q=0.8'), german);
    assert.equal(await namesOf('locale=DE', 'pt-BR'), german);
    assert.equal(await namesOf('locale=fr', 'de'), by_default);
    assert.equal(await namesOf('locale=pt', 'de'), 'Primeiro sangue, Plain, ???');
    assert.equal(await namesOf('player_id=p1&locale=de'), german);
    // The studio has said that the default texts are English.
    assert.equal(await namesOf('', 'en-GB, de;q=0.8'), by_default);
  });

  test('a hidden achievement is translated for the player who has it alone', async () => {
    const { namesOf, unlock } = await makeGame();
    assert.equal((await unlock('secret')).status, 200);
    assert.match(await namesOf('locale=de&player_id=p1'), /Geheim$/);
    assert.match(await namesOf('locale=de&player_id=p2'), /\?\?\?$/);
  });

  test('an unlock answers in the language of the call, and leaves out no text', async () => {
    const { unlock } = await makeGame();
    const german = await unlock('first', '?locale=de');
    const { name, description } = german.body.achievement;
    assert.deepEqual([name, description], ['Erstes Blut', 'Gewinne']);
    const again = await unlock('first', '', { 'accept-language': 'pt-BR' });
    assert.deepEqual(again.body.achievement, {
      key: 'first',
      name: 'Primeiro sangue',
      description: 'Win',
      points: 1,
    });
    assert.equal((await unlock('plain', '?locale=de')).body.achievement.name, 'Plain');
  });

  test('a locale that is no language is answered with 400', async () => {
    const { production_key: key } = await makeGame();
    const error = 'locale must be a language by its BCP 47 tag, such as de or pt-BR';
    for (const locale of ['', 'de_DE', 'x'.repeat(9), `de-${'x'.repeat(40)}`, '*']) {
      const path = `/v1/achievements?locale=${locale}`;
      const answer = await server.request('GET', path, { key });
      assert.equal(answer.status, 400, locale);
      if (locale.length < 36) assert.deepEqual(answer.body, { error });
    }
  });

  test('a change of the translations replaces them, and shows at once', async () => {
    const { namesOf, patch, listChanges } = await makeGame();
    const translations = { fr: { name: 'Premier sang' } };
    const changed = await patch('first', { translations });
    assert.deepEqual(changed.body.translations, translations);
    assert.equal(await namesOf('locale=fr'), 'Premier sang, Plain, ???');
    assert.equal(await namesOf('locale=pt-BR'), 'First Blood, Plain, ???');
    const kept = await patch('first', { points: 2 });
    assert.deepEqual(kept.body.translations, translations);
    assert.deepEqual((await listChanges()).at(-2)!.details.translations, translations);
  });
});

test('invented languages of requests fill no memory, and many languages of a studio little', () => {
  const languages = Array.from({ length: 30 }, (_, index) => `en-x-${index + 10}`);
  const catalogue = createCatalogue([
    {
      key: 'a',
      name: 'A',
      description: '',
      icon_url: '',
      points: 1,
      hidden: false,
      archived: false,
      writes_from: 'anyone',
      unlock_when: [],
      translations: Object.fromEntries(languages.map((tag) => [tag, { name: tag }])),
    },
  ]);
  const by_default = catalogue.in({});
  for (let index = 0; index < 1_000; index++) {
    assert.equal(
      catalogue.in({ locale: `q${String.fromCharCode(97 + (index % 20))}` }),
      by_default,
    );
  }
  for (const locale of languages) assert.match(catalogue.in({ locale }).text, new RegExp(locale));
  const [first, last] = [languages[0]!, languages.at(-1)!];
  assert.equal(catalogue.in({ locale: last }), catalogue.in({ locale: last }));
  const made = catalogue.in({ locale: first });
  assert.match(made.text, new RegExp(first));
});
