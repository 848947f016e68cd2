import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import { CLIENT } from './test/forging-issuer.ts';
import { CLIENT_SECRET, startRealProvider } from './test/real-provider.ts';

/** Follows redirects as a browser does, and fills in the forms of the provider, until it leaves the provider. */
async function walk(start: string, issuer: string): Promise<URL> {
  const jar = new Map<string, string>();
  let url = new URL(start);
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 20; step += 1) {
    if (url.origin !== issuer) return url;
    const answer: Response = await fetch(url, {
      method: form ? 'POST' : 'GET',
      body: form ?? null,
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      jar.set(name!, value!);
    }
    const location = answer.headers.get('location');
    form = undefined;
    if (location !== null) {
      url = new URL(location, url);
      continue;
    }
    const page = await answer.text();
    const action = /action="([^"]+)"/.exec(page)?.[1];
    assert.ok(action, `${answer.status} ${page.slice(0, 500)}`);
    url = new URL(action, url);
    form = page.includes('value="consent"')
      ? new URLSearchParams({ prompt: 'consent' })
      : new URLSearchParams({ prompt: 'login', login: 'mira', password: 'x' });
  }
  throw new Error('The provider never sent the browser back');
}

test('a real OpenID Connect server logs in, and its code works once', async () => {
  const provider = await startRealProvider();
  await using server = await startTestServer({
    env: {
      PUBLIC_URL: 'http://localhost:8080',
      OIDC_ISSUER: provider.url,
      OIDC_CLIENT_ID: CLIENT,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_DOMAINS: 'studio.example',
    },
  });
  try {
    provider.serve('http://localhost:8080/login/identity');
    const begun = await server.request('POST', '/v1/auth/identity/begin', { body: {} });
    assert.equal(begun.status, 200, begun.text);
    const cookie = String(begun.headers.get('set-cookie')).split(';')[0]!;
    const returned = await walk(begun.body.url, provider.url);
    assert.equal(returned.pathname, '/login/identity');
    const body = Object.fromEntries(returned.searchParams);
    const finish = () =>
      server.request('POST', '/v1/auth/identity/finish', { body, headers: { cookie } });
    const finished = await finish();
    assert.equal(finished.status, 200, finished.text);
    assert.equal(finished.body.user.email, 'mira@studio.example');
    assert.equal((await finish()).status, 401);
  } finally {
    await provider.close();
  }
});
