import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import { CatchBoundary } from "@tanstack/react-router";
import { Suspense, type ReactNode } from "react";
import { asError } from "../../lib/fault.ts";
import { PageBody } from "./form-section.tsx";
import { FailedQuery } from "./notice.tsx";
import { Skeleton } from "./progress.tsx";

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
          error: asError(error),
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
        <PageBody
          className="grid content-start gap-4"
          role="status"
          aria-busy="true"
          aria-label={words.loading}
        >
          {[40, 70, 55].map((width) => (
            <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
          ))}
        </PageBody>
      }
      failed={(failed) => (
        <PageBody>
          <FailedQuery title={words.failed} retryLabel={words.retry} {...failed} />
        </PageBody>
      )}
    >
      {children}
    </QueryBoundary>
  );
}
