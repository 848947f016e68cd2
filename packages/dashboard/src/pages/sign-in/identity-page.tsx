import { useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { Failure, wordsOf } from '../../api/failure.ts';
import { useChange } from '../../api/hooks.ts';
import { confirmation, identityTrip } from '../../api/identity-trip.ts';
import { readSecondStep } from '../../api/second-step.ts';
import type { SecondStep } from '../../api/second-step.ts';
import { session } from '../../api/session.ts';
import { Loading } from '../../shell/loading.tsx';
import { notify } from '../../ui/notify.tsx';
import { LinkAccountForm } from './link-account-form.tsx';
import type { UnlinkedAccount } from './link-account-form.tsx';
import { SecondStepForm } from './second-step-form.tsx';
import { OtherWay, SignInNote } from './sign-in-form.tsx';

/** The page to which the identity provider returns the browser. */
export function Component() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const finish = useChange('POST /v1/auth/identity/finish', { leaves: true });
  const confirm = useChange('POST /v1/auth/identity/confirm', { leaves: true });
  const [trip] = useState(identityTrip.read);
  const [asked, setAsked] = useState<SecondStep | null>(null);
  const [unlinked, setUnlinked] = useState<UnlinkedAccount | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const isSent = useRef(false);

  const leave = () => {
    identityTrip.end();
    void navigate(trip.to, { replace: true });
  };
  const enter = ({ token }: { token: string }) => {
    session.start(token);
    leave();
  };
  const meet = (error: unknown) => {
    const step = readSecondStep(error);
    if (step !== null) setAsked(step);
    else if (error instanceof Failure && error.code === 'IDENTITY_NOT_LINKED') {
      setUnlinked(error.body as unknown as UnlinkedAccount);
    } else setProblem(wordsOf(error));
  };

  useEffect(() => {
    // The provider takes a code once.
    if (isSent.current) return;
    isSent.current = true;
    const body = readAnswer(search);
    if (body === null) setProblem(refusalIn(search));
    else if (trip.purpose === 'login') {
      finish.mutate({ body }, { onSuccess: enter, onError: meet });
    } else {
      confirm.mutate(
        { body },
        {
          onSuccess(given) {
            confirmation.keep(given.confirmation);
            notify.done('Confirmed: for a few minutes, no password is needed.');
            leave();
          },
          onError: meet,
        },
      );
    }
  });

  if (asked !== null) {
    return (
      <SecondStepForm
        asked={asked}
        onDone={enter}
        onRestart={() => void navigate('/login', { replace: true })}
      />
    );
  }
  if (problem !== null) {
    const isLogin = trip.purpose === 'login';
    return (
      <SignInNote
        title={isLogin ? 'Log in' : 'Not confirmed'}
        others={
          <OtherWay to={isLogin ? '/login' : trip.to}>
            {isLogin ? 'Back to login' : 'Back'}
          </OtherWay>
        }
      >
        {problem}
      </SignInNote>
    );
  }
  if (unlinked !== null) {
    return <LinkAccountForm unlinked={unlinked} onDone={enter} onFailure={meet} />;
  }
  return <Loading />;
}

/** Reads what the provider gave to the browser. */
function readAnswer(search: URLSearchParams) {
  const [code, state, iss] = ['code', 'state', 'iss'].map((name) => search.get(name));
  return code && state ? { code, state, ...(iss && { iss }) } : null;
}

/** Says why the provider gave nothing. Anybody can write the address, so only its error code is shown. */
function refusalIn(search: URLSearchParams): string {
  const error = /^[a-z_]{1,60}$/.exec(search.get('error') ?? '')?.[0];
  return `The identity provider has not logged you in${error ? `: ${error}` : ''}.`;
}
