import { Skeleton } from "../../../components/ui/progress.tsx";
import { pageArea } from "../../../components/ui/styles.ts";

/** A page that is loading. */
export function PageSkeleton() {
  return (
    <div className={pageArea} aria-busy="true">
      <div className="paper grid gap-3">
        {[40, 92, 88, 95, 61].map((width) => (
          <Skeleton className="bg-paper-line" key={width} style={{ inlineSize: `${width}%` }} />
        ))}
      </div>
    </div>
  );
}
