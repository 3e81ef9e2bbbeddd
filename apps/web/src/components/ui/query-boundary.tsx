import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import { CatchBoundary } from "@tanstack/react-router";
import { Suspense, type ReactNode } from "react";
import { Notice } from "./notice.tsx";

interface Failed {
  error: Error;
  retry: () => void;
}

/** Stands in for suspense queries inside it while they load, and when they fail. */
export function QueryBoundary({
  pending,
  failed,
  children,
}: {
  pending: ReactNode;
  failed: (failed: Failed) => ReactNode;
  children: ReactNode;
}) {
  const { reset: resetQueries } = useQueryErrorResetBoundary();
  return (
    <CatchBoundary
      getResetKey={() => 0}
      errorComponent={({ error, reset }) =>
        failed({
          error: error instanceof Error ? error : new Error(String(error)),
          retry: () => {
            resetQueries();
            reset();
          },
        })
      }
    >
      <Suspense fallback={pending}>{children}</Suspense>
    </CatchBoundary>
  );
}

/** A failed read in words, with a button that repeats it. */
export function FailedQuery({
  title,
  retryLabel,
  error,
  retry,
}: Failed & { title: string; retryLabel: string }) {
  return (
    <Notice
      kind="bad"
      action={
        <button type="button" className="btn sm" onClick={retry}>
          {retryLabel}
        </button>
      }
    >
      <p>
        <b>{title}</b>
      </p>
      <p>{error.message}</p>
    </Notice>
  );
}

/** The boundary of a whole settings page. */
export function PageBoundary({
  words,
  children,
}: {
  words: { loading: string; failed: string; retry: string };
  children: ReactNode;
}) {
  return (
    <QueryBoundary
      pending={
        <div
          className="set-body grid content-start gap-4"
          aria-busy="true"
          aria-label={words.loading}
        >
          {[40, 70, 55].map((width) => (
            <span className="skel" key={width} style={{ inlineSize: `${width}%` }} />
          ))}
        </div>
      }
      failed={(failed) => (
        <div className="set-body">
          <FailedQuery title={words.failed} retryLabel={words.retry} {...failed} />
        </div>
      )}
    >
      {children}
    </QueryBoundary>
  );
}
