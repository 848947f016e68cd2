import type { Answer, Input } from '../../api/operations.ts';

export type LoginProvider =
  Answer<'GET /v1/games/{game_id}/login-providers'>['login_providers'][number];
type Settings = Input<'PUT /v1/games/{game_id}/login-providers/{provider}'>['body'];

/** Providers that the form offers by name. All except the first two are OpenID Connect issuers. */
export const PRESETS = [
  { value: 'custom', label: 'Our own server', issuer: '' },
  { value: 'steam', label: 'Steam', issuer: '' },
  { value: 'google', label: 'Google', issuer: 'https://accounts.google.com' },
  { value: 'apple', label: 'Apple', issuer: 'https://appleid.apple.com' },
  { value: 'discord', label: 'Discord', issuer: 'https://discord.com' },
  { value: '', label: 'Another OpenID Connect issuer', issuer: '' },
] as const;

/**
 * Returns the values of the form's fields, which are empty where a setting is missing. `preset` is the
 * `value` of an entry of `PRESETS`.
 */
export function toValues(stored: LoginProvider | null) {
  const known = PRESETS.find(({ value }) => value === (stored?.provider ?? 'custom'));
  return {
    preset: (known?.value ?? '') as string,
    provider: stored?.provider ?? 'custom',
    signed_by: stored?.public_key ? ('public_key' as const) : ('secret' as const),
    secret: '',
    public_key: stored?.public_key ?? '',
    app_id: stored?.app_id ?? '',
    web_api_key: '',
    identity: stored?.identity ?? '',
    issuer: stored?.issuer ?? '',
    audiences: stored?.audiences ?? [],
    jwks_url: stored?.jwks_url ?? '',
  };
}
export type ProviderValues = ReturnType<typeof toValues>;

/** Makes the settings to send from the values of the form. */
export function toSettings(values: ProviderValues): Settings {
  const given = (text: string) => text.trim() || undefined;
  if (values.provider === 'custom') {
    return values.signed_by === 'secret'
      ? { secret: given(values.secret) }
      : { public_key: given(values.public_key) };
  }
  if (values.provider === 'steam') {
    return {
      app_id: given(values.app_id),
      web_api_key: given(values.web_api_key),
      identity: given(values.identity),
    };
  }
  return {
    issuer: given(values.issuer),
    audiences: values.audiences,
    jwks_url: given(values.jwks_url),
  };
}
