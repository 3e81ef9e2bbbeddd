import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import { CatchBoundary } from "@tanstack/react-router";
import { Suspense, type ReactNode } from "react";
import { Notice } from "./notice.tsx";

interface Failed {
  error: Error;
  retry: () => void;
}

/** Shows loading and error states for the suspense queries inside it. */
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

/** Explains a failed query and offers to retry it. */
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

/** Loading and error states for a whole settings page. */
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
