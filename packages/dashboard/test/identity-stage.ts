import type { Page } from 'playwright-core';
import { findFreePort } from '../../server/test/free-port.ts';
import { CLIENT } from '../../server/src/features/staff-login/test/forging-issuer.ts';
import {
  CLIENT_SECRET,
  startRealProvider,
} from '../../server/src/features/staff-login/test/real-provider.ts';
import { openStage } from './browser.ts';
import type { Stage, VisitOptions } from './browser.ts';

/** A dashboard whose staff logs in at a real OpenID Connect server, which is another site. */
export interface IdentityStage extends Stage {
  /** Opens a page in a browser that nobody has logged in to the provider. */
  visitAlone(path: string, options?: VisitOptions): ReturnType<Stage['visit']>;
}

export async function openIdentityStage(
  settings: Record<string, string> = {},
): Promise<IdentityStage> {
  const provider = await startRealProvider();
  // The provider sends the browser to an address that is known before the server starts.
  const port = await findFreePort();
  const public_url = `http://localhost:${port}`;
  const stage = await openStage({
    env: {
      PORT: String(port),
      PUBLIC_URL: public_url,
      OIDC_ISSUER: provider.url,
      OIDC_CLIENT_ID: CLIENT,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_DOMAINS: 'studio.example',
      OIDC_NAME: 'Studio',
      ...settings,
    },
  });
  provider.serve(`${public_url}/login/identity`);
  return {
    ...stage,
    visitAlone: (path, options = {}) =>
      stage.visit(path, {
        host: 'localhost',
        isAlone: true,
        ...options,
        // The pages of the provider ask for a font.
        expected: new RegExp(`asked|fonts|ERR_|${options.expected?.source ?? 'ERR_'}`),
      }),
    async close() {
      await stage.close();
      await provider.close();
    },
  };
}

/** Types a name on the page of the provider, and returns to the dashboard. */
export async function logInAtProvider(page: Page, name: string): Promise<void> {
  await page.locator('input[name=login]').fill(name);
  await page.locator('input[name=password]').fill('any');
  await page.getByRole('button').first().click();
  // The provider asks once whether the dashboard may know the name.
  const consent = page.locator('input[value=consent]');
  await consent.or(page.locator('#root')).first().waitFor({ state: 'attached' });
  if ((await consent.count()) > 0) await page.getByRole('button').first().click();
}
