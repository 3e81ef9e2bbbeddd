import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

/** Explains why a query failed and offers to retry it. */
export function FailedQuery({
  title,
  retryLabel,
  error,
  retry,
}: {
  title?: string;
  retryLabel: string;
  error: Error;
  retry: () => void;
}) {
  return (
    <Notice
      kind="bad"
      action={
        <Button size="sm" onClick={retry}>
          {retryLabel}
        </Button>
      }
    >
      {title !== undefined && (
        <p>
          <b>{title}</b>
        </p>
      )}
      <p>{error.message}</p>
    </Notice>
  );
}
