import { randomBytes } from 'node:crypto';

/** Makes an account of the dashboard, as a person would. */
export async function registerAccount(url: string): Promise<{ email: string; token: string }> {
  const email = `${randomBytes(6).toString('hex')}@studio.example`;
  const response = await fetch(`${url}/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'correct horse battery staple' }),
  });
  if (!response.ok) throw new Error(`Registration: ${response.status} ${await response.text()}`);
  const { token } = (await response.json()) as { token: string };
  return { email, token };
}
