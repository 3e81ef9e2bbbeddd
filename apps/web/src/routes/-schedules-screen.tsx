import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { buttonStyles } from "../components/ui/button.tsx";
import { PageBody } from "../components/ui/form-section.tsx";
import { FailedQuery } from "../components/ui/notice.tsx";
import { Main } from "../components/ui/page.tsx";
import { EditPage } from "../features/schedules/components/edit-page.tsx";
import { SchedulePage } from "../features/schedules/components/schedule-page.tsx";
import {
  NewScheduleLink,
  SchedulesPage,
} from "../features/schedules/components/schedules-page.tsx";
import { contentOf } from "../features/schedules/state/content.ts";
import { exampleContent, isExample } from "../features/schedules/state/examples.ts";
import type { SchedulesSearch } from "../features/schedules/state/search.ts";
import "../lib/schedule-texts.ts";
import { Topbar } from "../features/shell/components/topbar.tsx";
import { ApiError } from "../lib/api.ts";
import { usePageTitle } from "../lib/brand.ts";
import { browserZone } from "../lib/schedule-timing.ts";
import { scheduleQuery, useScheduleChanges } from "../lib/schedules.ts";
import { workspacesQuery } from "../lib/workspaces.ts";

/** With the types that it should have. */
type Search = { [Name in keyof Required<SchedulesSearch>]: SchedulesSearch[Name] | undefined };

const to = "/schedules/{-$scheduleId}" as const;

const textIn = (value: unknown): string | undefined =>
  value === undefined ? undefined : String(value);

/** The list of schedules, one of them, or its form. */
export default function SchedulesScreen({
  scheduleId,
  search: { edit, ...texts },
}: {
  scheduleId: string | undefined;
  search: SchedulesSearch;
}) {
  useScheduleChanges();
  const search: Search = {
    edit: edit === true,
    workspace: textIn(texts.workspace),
    example: textIn(texts.example),
    from: textIn(texts.from),
    run: textIn(texts.run),
  };
  if (scheduleId === undefined) return <ListScreen workspace={search.workspace ?? null} />;
  if (scheduleId === "new") return <NewScreen key={JSON.stringify(search)} search={search} />;
  return <OneScreen key={scheduleId} id={scheduleId} search={search} />;
}

function Screen({
  title,
  isInner = false,
  actions,
  children,
}: {
  title: string;
  /** Below the list. */
  isInner?: boolean;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const { t } = useTranslation("schedules");
  usePageTitle(title);
  return (
    <Main>
      <Topbar
        above={
          isInner && (
            <Link to={to} params={{}} search={{}}>
              {t("title")}
            </Link>
          )
        }
        title={title}
      >
        {actions}
      </Topbar>
      {children}
    </Main>
  );
}

function ListScreen({ workspace }: { workspace: string | null }) {
  const { t } = useTranslation("schedules");
  return (
    <Screen title={t("title")} actions={<NewScheduleLink workspace={workspace} />}>
      <SchedulesPage key={workspace} of="own" workspace={workspace} />
    </Screen>
  );
}

function useFormEnds(): { onDone: (id: string) => void; onCancel: (id: string | null) => void } {
  const navigate = useNavigate();
  const open = (scheduleId: string | undefined): void =>
    void navigate({ to, params: { scheduleId }, search: {}, replace: true });
  return { onDone: open, onCancel: (id) => open(id ?? undefined) };
}

function NewScreen({ search }: { search: Search }) {
  const { t } = useTranslation("schedules");
  const { onDone, onCancel } = useFormEnds();
  const workspaces = useQuery(workspacesQuery).data;
  const copied = useQuery({
    ...scheduleQuery(search.from ?? ""),
    enabled: search.from !== undefined,
  });
  if (workspaces === undefined || (search.from !== undefined && copied.isPending))
    return (
      <Screen title={t("newTitle")} isInner>
        <PageBody aria-busy="true" />
      </Screen>
    );
  const workspace =
    search.workspace ?? (workspaces.length === 1 ? (workspaces[0]?.slug ?? "") : "");
  const { example } = search;
  const start = copied.data
    ? contentOf(copied.data)
    : isExample(example)
      ? exampleContent(example, workspace, browserZone(), {
          name: t(`examples.${example}.name`),
          prompt: t(`examples.${example}.prompt`),
        })
      : null;
  return (
    <Screen title={t("newTitle")} isInner>
      <EditPage
        schedule={null}
        workspace={workspace}
        start={start}
        onDone={onDone}
        onCancel={() => onCancel(null)}
      />
    </Screen>
  );
}

function OneScreen({ id, search }: { id: string; search: Search }) {
  const { t } = useTranslation("schedules");
  const navigate = useNavigate();
  const { onDone, onCancel } = useFormEnds();
  const { data: schedule, error, refetch } = useQuery(scheduleQuery(id));
  if (schedule === undefined)
    return (
      <Screen title={t("title")} isInner>
        <PageBody
          className="grid content-start justify-items-start gap-4"
          aria-busy={error === null}
        >
          {error instanceof ApiError && (error.status === 404 || error.status === 400) ? (
            <>
              <p role="status">{t("gone")}</p>
              <Link className={buttonStyles()} to={to} params={{}} search={{}}>
                {t("back")}
              </Link>
            </>
          ) : (
            error && (
              <FailedQuery
                title={t("loadFailed")}
                retryLabel={t("retry")}
                error={error}
                retry={() => void refetch()}
              />
            )
          )}
        </PageBody>
      </Screen>
    );
  if (search.edit)
    return (
      <Screen title={t("editTitle")} isInner>
        <EditPage
          schedule={schedule}
          workspace={schedule.workspaceSlug ?? ""}
          start={null}
          onDone={onDone}
          onCancel={() => onCancel(id)}
        />
      </Screen>
    );
  return (
    <Screen title={schedule.name} isInner>
      <SchedulePage
        schedule={schedule}
        run={search.run ?? null}
        onRun={(run) =>
          void navigate({
            to,
            params: { scheduleId: id },
            search: run === null ? {} : { run },
            replace: true,
          })
        }
      />
    </Screen>
  );
}
