import type { Static } from 'typebox';
import { answer, errorAnswer } from '../answers.ts';
import { operationsIn } from '../operation.ts';
import { t } from '../schema.ts';

const operation = operationsIn('Administration');

/** Whom an installation asks for a second factor. */
export const SECOND_FACTOR_REQUIREMENTS = ['off', 'administrators', 'everybody'] as const;
export type SecondFactorRequirement = (typeof SECOND_FACTOR_REQUIREMENTS)[number];

const InstallationSettings = t.Resource('InstallationSettings', {
  require_second_factor: t.Enum(
    SECOND_FACTOR_REQUIREMENTS,
    'Who must have a second factor. An account that lacks it can log in, but all but its own account answers 403 with code SECOND_FACTOR_SETUP_REQUIRED until it has one.',
  ),
});
export type InstallationSettings = Static<typeof InstallationSettings>;
const example = { require_second_factor: 'administrators' };

export const getInstallationSettings = operation('GET /v1/admin/settings', {
  id: 'getInstallationSettings',
  access: 'administrator',
  summary: 'Get the settings of the installation',
  description: 'Those that administrators change while the server runs.',
  answers: { 200: answer('The settings.', InstallationSettings, example) },
});

export const putInstallationSettings = operation('PUT /v1/admin/settings', {
  id: 'putInstallationSettings',
  access: 'administrator',
  summary: 'Change the settings of the installation',
  description: 'They count from the next request on, on every server.',
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
