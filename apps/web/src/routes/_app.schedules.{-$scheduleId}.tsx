import { createFileRoute } from "@tanstack/react-router";
import { Suspense } from "react";
import { Main } from "../components/ui/page.tsx";
import type { SchedulesSearch } from "../features/schedules/state/search.ts";
import { lazyPart } from "../lib/lazy-part.ts";

const SchedulesScreen = lazyPart(() => import("./-schedules-screen.tsx"));

/**
 * The person's schedules; with an id, one of them, or with `new` the form of a new one. One route,
 * because each costs the first page a part of its script.
 */
export const Route = createFileRoute("/_app/schedules/{-$scheduleId}")({
  validateSearch: (search: SchedulesSearch) => search,
  component: function Schedules() {
    const { scheduleId } = Route.useParams();
    return (
      <Suspense fallback={<Main aria-busy="true" />}>
        <SchedulesScreen scheduleId={scheduleId} search={Route.useSearch()} />
      </Suspense>
    );
  },
});
