import type { StepOutput } from "@carrel/contracts";
import { Suspense } from "react";
import { lazyPart } from "../../../lib/lazy-part.ts";
import { DataTable } from "./data-table.tsx";
import { FileCard } from "./file-card.tsx";

const RunChart = lazyPart(() => import("./run-chart.tsx"));
const ScheduleCard = lazyPart(() => import("./schedule-card.tsx"));

/** What steps add to the answer: charts, tables, files and schedules. */
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
          case "schedule":
            return (
              <Suspense
                key={index}
                fallback={<div className="h-20 max-w-96 rounded-md border border-line" />}
              >
                <ScheduleCard created={output} />
              </Suspense>
            );
          default:
            return null; // only a newer server knows it
        }
      })}
    </div>
  );
}
