import { t } from './schema.ts';

/** The number of days for which a request is recognised by its `Idempotency-Key`. */
export const IDEMPOTENCY_DAYS = 7;
/** The most characters of an `Idempotency-Key`. */
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

/** The header of a call that can be sent again without being done twice. */
export const IdempotencyHeader = t.Object({
  'idempotency-key': t.Optional(
    t.String(
      'Chosen by the caller. It must be unique for 7 days among the requests of this API key and of the keys that it replaced.',
      { minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_LENGTH },
    ),
  ),
});
