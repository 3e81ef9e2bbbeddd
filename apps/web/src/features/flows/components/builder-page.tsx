import type { FlowStep, FlowWire } from "@carrel/contracts";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Input } from "../../../components/ui/field.tsx";
import {
  FieldError,
  FieldHelp,
  FieldLabel,
  Field,
  Textarea,
} from "../../../components/ui/field.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { Main } from "../../../components/ui/page.tsx";
import { PageBoundary } from "../../../components/ui/query-boundary.tsx";
import { usePageTitle } from "../../../lib/brand.ts";
import { formatAgo } from "../../../lib/format.ts";
import { addTexts } from "../../../lib/i18n.ts";
import { toast } from "../../../lib/toast.ts";
import flowTexts from "../../../locales/en/flows.json" with { type: "json" };
import { credentialsQuery, usableIn } from "../api/credentials.ts";
import { builderQuery, flowsQuery } from "../api/flows.ts";
import type { Content, Draft } from "../state/content.ts";
import type { BuilderPanel } from "../state/panels.ts";
import { allBlocks } from "../state/tree.ts";
import { useBuilder, type Builder } from "../state/use-builder.ts";
import { BlockList } from "./block-list.tsx";
import { BuilderBar } from "./builder-bar.tsx";
import { BuilderContext } from "./builder-context.ts";
import { ConflictDialog } from "./conflict-dialog.tsx";
import { ProblemList, useProblemText } from "./problem-list.tsx";
import { TestPanel } from "./test-panel.tsx";
import { TriggersPanel } from "./triggers-panel.tsx";
import { VersionsPanel } from "./versions-panel.tsx";

// Loaded with these pages, not with the first one.
addTexts("flows", flowTexts);

type Bar = (parts: { title: string; children: ReactNode }) => ReactNode;

let openings = 0;

/** The builder of one flow; `null` is a new one. */
export function BuilderPage({
  flowId,
  panel,
  bar,
}: {
  flowId: string | null;
  /** Open at first. */
  panel: BuilderPanel | null;
  bar: Bar;
}) {
  const { t } = useTranslation("flows");
  const [session, setSession] = useState(() => startSession(flowId));
  /** What a new flow became: its builder stays open, with all that can be undone. */
  const [created, setCreated] = useState<string | null>(null);
  if (session.at !== flowId) {
    setSession(flowId === created ? { ...session, at: flowId } : startSession(flowId));
    setCreated(null);
  }
  return (
    <PageBoundary words={{ loading: t("loading"), failed: t("loadFailed"), retry: t("retry") }}>
      <LoadedBuilder
        key={session.opening}
        session={session}
        panel={panel}
        bar={bar}
        onCreated={setCreated}
      />
    </PageBoundary>
  );
}

interface Session {
  /** The flow that was opened. */
  opened: string | null;
  /** The flow that the address names by now. */
  at: string | null;
  /** What was loaded last time lacks what was typed and saved since. */
  opening: number;
}
function startSession(flowId: string | null): Session {
  openings += 1;
  return { opened: flowId, at: flowId, opening: openings };
}

function LoadedBuilder({
  session: { opened, opening },
  panel,
  bar,
  onCreated,
}: {
  session: Session;
  panel: BuilderPanel | null;
  bar: Bar;
  onCreated: (id: string) => void;
}) {
  const { data } = useSuspenseQuery(builderQuery(opened, opening));
  // What is typed must outlive a refetch.
  const [{ flow, draft }] = useState(data);
  return (
    <OpenBuilder flow={flow} draft={draft} firstPanel={panel} bar={bar} onCreated={onCreated} />
  );
}

function OpenBuilder({
  flow,
  draft,
  firstPanel,
  bar,
  onCreated,
}: {
  flow: FlowWire | null;
  draft: Draft | null;
  firstPanel: BuilderPanel | null;
  bar: Bar;
  onCreated: (id: string) => void;
}) {
  const { t } = useTranslation("flows");
  const navigate = useNavigate();
  const { data: flows } = useQuery(flowsQuery);
  const flowIds = useMemo(() => flows?.map(({ id }) => id) ?? null, [flows]);
  const { data: allCredentials } = useQuery(credentialsQuery);
  const open = (id: string): Promise<void> =>
    navigate({ to: "/settings/agents/builder/{-$flowId}", params: { flowId: id }, replace: true });
  const builder = useBuilder({
    flow,
    draft,
    flowIds,
    credentials: allCredentials ?? null,
    onCreated: (id) => {
      onCreated(id);
      void open(id);
    },
  });
  // A save may change it, and reads the list again.
  const { sends = false } = flows?.find(({ id }) => id === builder.flowId) ?? flow ?? {};
  const [panel, setPanel] = useState(firstPanel);
  const [startAt, setStartAt] = useState<FlowStep | null>(null);
  const scope = useMemo(
    () => ({
      builder,
      flows: flows ?? [],
      credentials: usableIn(allCredentials ?? [], builder.flowId),
      runFrom: (step: FlowStep) => {
        setStartAt(step);
        setPanel("test");
      },
    }),
    [builder, flows, allCredentials],
  );
  const title = builder.content.name.trim() || t("builder.newTitle");
  usePageTitle(title);
  useUndoKeys(builder);
  const close = (): void => setPanel(null);
  return (
    <BuilderContext value={scope}>
      <Main>
        {bar({
          title,
          children: (
            <BuilderBar panel={panel} onPanel={(next) => setPanel(next === panel ? null : next)} />
          ),
        })}
        <div
          className="min-h-0 flex-1 overflow-auto px-6 pt-6 pb-24 scrollbar-thin scrollbar-thumb-line scrollbar-track-transparent max-md:px-4 max-md:pt-4"
          data-scroller
        >
          <div className="mx-auto grid w-full max-w-[760px] grid-cols-1 gap-5">
            <Notices builder={builder} draft={draft} sends={sends} />
            <Naming builder={builder} />
            <Blocks builder={builder} />
          </div>
        </div>
        <p className="sr-only" role="status">
          {builder.announcement}
        </p>
      </Main>
      {panel === "test" && (
        <TestPanel startAt={startAt} onStarted={() => setStartAt(null)} onClose={close} />
      )}
      {panel === "versions" && <VersionsPanel onClose={close} />}
      {panel === "triggers" && <TriggersPanel onClose={close} />}
      {builder.hasConflict && <ConflictDialog onCopied={(id) => void open(id)} />}
    </BuilderContext>
  );
}

function Notices({
  builder,
  draft,
  sends,
}: {
  builder: Builder;
  draft: Draft | null;
  sends: boolean;
}) {
  const { t } = useTranslation("flows");
  const [isRestored, setRestored] = useState(draft !== null && builder.isChanged);
  return (
    <div className="grid gap-2 empty:hidden">
      <div className="md:hidden">
        <Notice>
          <p>{t("builder.phone")}</p>
        </Notice>
      </div>
      {isRestored && builder.isChanged && draft !== null && (
        <Notice
          kind="info"
          action={
            <Button
              size="sm"
              onClick={() => {
                builder.discard();
                setRestored(false);
                toast.success(t("builder.discarded"), builder.undo);
              }}
            >
              {t("builder.discard")}
            </Button>
          }
        >
          <p>{t("builder.restored", { when: formatAgo(draft.at) })}</p>
        </Notice>
      )}
      {sends && (
        <Notice kind="warn">
          <p>{t("builder.sends")}</p>
        </Notice>
      )}
    </div>
  );
}

function Naming({ builder }: { builder: Builder }) {
  const { t } = useTranslation("flows");
  const textOf = useProblemText();
  const { content, flowId, edit, problems } = builder;
  const [wasLeft, setLeft] = useState(flowId !== null);
  const problem = wasLeft
    ? problems.find(({ field, block }) => block === null && field === "name")
    : undefined;
  const change = (next: Partial<Content>, tag: string): void =>
    edit((before) => ({ ...before, ...next }), tag);
  return (
    <div className="grid grid-cols-1 gap-4">
      <Field>
        <FieldLabel htmlFor="flow-name">{t("builder.name")}</FieldLabel>
        <Input
          id="flow-name"
          className="font-medium"
          maxLength={200}
          autoComplete="off"
          placeholder={t("builder.namePlaceholder")}
          value={content.name}
          invalid={problem !== undefined}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={problem && "flow-name-problem"}
          onBlur={() => setLeft(true)}
          onChange={({ target }) => change({ name: target.value }, "name")}
        />
        {problem && <FieldError id="flow-name-problem">{textOf(problem)}</FieldError>}
      </Field>
      <Field>
        <FieldLabel htmlFor="flow-description">{t("builder.description")}</FieldLabel>
        <Textarea
          id="flow-description"
          rows={2}
          maxLength={2_000}
          aria-describedby="flow-description-help"
          value={content.description}
          onChange={({ target }) => change({ description: target.value }, "description")}
        />
        <FieldHelp id="flow-description-help">{t("builder.descriptionHelp")}</FieldHelp>
      </Field>
    </div>
  );
}

function Blocks({ builder }: { builder: Builder }) {
  const { t } = useTranslation("flows");
  const { steps } = builder.content;
  const ids = allBlocks(steps).map(({ id = "" }) => id);
  const isAllOpen = ids.every((id) => builder.open.has(id));
  return (
    <section className="grid grid-cols-1 gap-3" aria-labelledby="flow-blocks">
      <div className="flex items-center gap-2">
        <h2 id="flow-blocks" className="me-auto text-md font-semibold">
          {t("builder.blocks")}
        </h2>
        {ids.length > 1 && (
          <Button size="sm" variant="quiet" onClick={() => builder.setOpen(isAllOpen ? [] : ids)}>
            {t(isAllOpen ? "builder.collapseAll" : "builder.expandAll")}
          </Button>
        )}
      </div>
      {builder.showsProblems && builder.problems.length > 0 && (
        <Notice kind="warn">
          <p>
            <b>{t("problem.title", { count: builder.problems.length })}</b>
          </p>
          <ProblemList />
        </Notice>
      )}
      <div data-blocks>
        <BlockList label={t("builder.blocks")} steps={steps} at={{ parent: null, slot: "root" }} />
      </div>
    </section>
  );
}

/** Undo and redo of the whole flow, also while typing in one of its fields. */
function useUndoKeys({ undo, redo }: Builder): void {
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      if (key !== "z" && key !== "y") return;
      // Dialogs and panels have fields of their own.
      if (event.target instanceof Element && event.target.closest('[role="dialog"], [data-panel]'))
        return;
      event.preventDefault();
      if (key === "y" || event.shiftKey) redo();
      else undo();
    };
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  });
}
