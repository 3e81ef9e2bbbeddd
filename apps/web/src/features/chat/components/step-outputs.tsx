import type { StepOutput } from "@carrel/contracts";
import { lazy, Suspense } from "react";
import { DataTable } from "./data-table.tsx";
import { FileCard } from "./file-card.tsx";

const RunChart = lazy(() => import("./run-chart.tsx"));

/** What steps add to the answer: charts, tables and files. */
export function StepOutputs({ outputs }: { outputs: readonly StepOutput[] }) {
  return (
    <div className="my-3 grid grid-cols-1 gap-3" data-outputs>
      {outputs.map((output, index) => {
        switch (output.type) {
          case "chart":
            return (
              <Suspense
                key={index}
                fallback={<div className="h-80 rounded-md border border-line" />}
              >
                <RunChart chart={output} />
              </Suspense>
            );
          case "table":
            return <DataTable key={index} {...output} />;
          case "file":
            return <FileCard key={index} file={output} />;
          default:
            return null; // only a newer server knows it
        }
      })}
    </div>
  );
}
