import { call } from '../api/client.ts';
import { Failure } from '../api/failure.ts';
import { session } from '../api/session.ts';
import { notify } from '../ui/notify.tsx';

/** Ends the session on the server and in this browser; if the server is away, only here, with a warning. */
export function logOut(): void {
  const ended = call('POST /v1/auth/logout', {});
  session.end();
  ended.catch((error: unknown) => {
    if (!(error instanceof Failure) || !error.isOutage) return;
    notify.failed(
      new Error(
        'You are logged out here, but the server could not be told. End the session under “Your account” when you log in again.',
      ),
    );
  });
}
