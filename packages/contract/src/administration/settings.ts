import type { Static } from 'typebox';
import { answer, errorAnswer } from '../answers.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';

const operation = operationsIn('Administration');

/**
 * The values of the setting that requires a second factor: for no account, for administrators, or for
 * everybody.
 */
const SECOND_FACTOR_REQUIREMENTS = ['off', 'administrators', 'everybody'] as const;
export type SecondFactorRequirement = (typeof SECOND_FACTOR_REQUIREMENTS)[number];

const InstallationSettings = t.Resource('InstallationSettings', {
  require_second_factor: t.Enum(
    SECOND_FACTOR_REQUIREMENTS,
    'Accounts that must have a second factor. An account without one can log in, but until it has one everything but the account itself answers 403 with code SECOND_FACTOR_SETUP_REQUIRED.',
  ),
});
export type InstallationSettings = Static<typeof InstallationSettings>;
const example = { require_second_factor: 'administrators' };

export const getInstallationSettings = operation('GET /v1/admin/settings', {
  access: 'administrator',
  summary: 'Get the settings of the installation',
  description: 'The settings that administrators can change while the server runs.',
  answers: { 200: answer('The settings.', InstallationSettings, example) },
});

export const putInstallationSettings = operation('PUT /v1/admin/settings', {
  access: 'administrator',
  summary: 'Change the settings of the installation',
  description: 'They take effect on every server with the next request.',
  body: InstallationSettings,
  example,
  answers: {
    200: answer('The settings.', InstallationSettings, example),
    409: errorAnswer(
      'The administrator has no second factor.',
      'Set up a second factor of your own first: you would lock yourself out',
    ),
  },
});
