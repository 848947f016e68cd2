import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { localeChooser } from './locale.ts';
import type { LocaleWish } from './locale.ts';

const chooseLocale = (available: string[], wish: LocaleWish) => localeChooser(available)(wish);

const chooseByHeader = (available: string[], accept_language: string) =>
  chooseLocale(available, { accept_language });

suite('the choice of a language', () => {
  test('a request without a wish that can be met gets the default', () => {
    assert.equal(chooseLocale(['de'], {}), null);
    assert.equal(chooseLocale([], { locale: 'de' }), null);
    assert.equal(chooseLocale(['de'], { locale: 'fr' }), null);
    assert.equal(chooseByHeader(['de'], 'fr, it;q=0.5'), null);
  });

  test('the answer is a language as it is written where it is available', () => {
    assert.equal(chooseLocale(['pt-BR'], { locale: 'PT-br' }), 'pt-BR');
    assert.equal(chooseByHeader(['zh-Hant'], 'ZH-HANT-TW'), 'zh-Hant');
  });

  test('a wish is met by a more general language, else by a relative', () => {
    const choose = (available: string[], locale: string) => chooseLocale(available, { locale });
    assert.equal(choose(['de', 'en'], 'de-AT'), 'de');
    assert.equal(choose(['de-CH', 'de'], 'de-AT'), 'de');
    assert.equal(choose(['zh', 'zh-Hant'], 'zh-Hant-TW'), 'zh-Hant');
    assert.equal(choose(['pt-PT', 'pt-BR'], 'pt'), 'pt-BR');
    assert.equal(choose(['pt-BR'], 'pt-PT'), 'pt-BR');
    assert.equal(choose(['en'], 'en-x-moon'), 'en');
    assert.equal(choose(['he'], 'iw-IL'), 'he');
    assert.equal(choose(['den'], 'de'), null);
  });

  test('the header names the most wanted language by its quality', () => {
    assert.equal(chooseByHeader(['de', 'fr'], 'de;q=0.5, fr'), 'fr');
    assert.equal(chooseByHeader(['de', 'fr'], 'de;q=0.5,fr;Q = 0.4'), 'de');
    assert.equal(chooseByHeader(['de', 'fr'], 'it, de;q=0, fr;q=0.1'), 'fr');
    assert.equal(chooseByHeader(['de', 'fr'], 'de, fr'), 'de');
  });

  test('the name of a language takes the place of the header', () => {
    const wish = { locale: 'it', accept_language: 'de' };
    assert.equal(chooseLocale(['de'], wish), null);
    assert.equal(chooseLocale(['de', 'it'], wish), 'it');
  });

  test('a malformed or huge header is a header without wishes', () => {
    for (const header of ['', '*', ';;;', 'de;q=x', 'de;q=', '-', 'd e', ',,,', '*;q=0.5']) {
      assert.equal(chooseByHeader(['de'], header), null, header);
    }
    assert.equal(chooseByHeader(['de'], 'x,'.repeat(10_000) + 'de'), null);
    assert.equal(chooseByHeader(['de'], '???, de;q=0.3'), 'de');
  });
});
