import {
  agentLabels,
  agentSettingKeys,
  defaultMaxToolCalls,
  maxMaxToolCalls,
  type SkillId,
} from "@carrel/contracts/skill-declaration";
import { useQuery, useSuspenseQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { ArrowLeft, KeyRound, Puzzle, SlidersHorizontal, Workflow } from "lucide-react";
import { useEffect, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { AllowedSkills } from "../../../components/allowed-skills.tsx";
import { NumberForm } from "../../../components/setting-parts.tsx";
import { SkillIcon } from "../../../components/skill-icon.tsx";
import { FormSection, PageBody, settingsColumn } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { PageBoundary } from "../../../components/ui/query-boundary.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import "../../../lib/agent-texts.ts";
import { SwitchLine } from "../../../components/ui/switch-line.tsx";
import {
  preferencesQuery,
  rulesIn,
  useSavePreferences,
  type Preferences,
} from "../../../lib/agent-preferences.ts";
import { allowedSkillsQuery } from "../../../lib/allowed-skills.ts";
import { cn } from "../../../lib/cn.ts";
import { useRights } from "../../../lib/current-user.ts";
import { providersQuery, useSaveSettings } from "../../../lib/providers.ts";
import { setupQuery } from "../../../lib/setup.ts";
import { toast } from "../../../lib/toast.ts";
import { reachQuery } from "../api/agents.ts";
import { needsSetup } from "../state/connections.ts";
import { isOn, listSkills, type AgentView, type SkillSearch } from "../state/skills.ts";
import { SkillPanel } from "./skill-panel.tsx";

interface OpenView {
  name: AgentView;
  draw: (back: ReactNode) => ReactNode;
}

/** Skills of agents, and the selected one's panel or the general settings. */
export function AgentsPage({
  skill,
  view,
  outcome: { connected, problem },
}: {
  skill: SkillId | undefined;
  /** The list that is open; `draw` gets a link back to this page's list, for phones. */
  view: OpenView | null;
  /** How a sign-in to Outlook ended, if one led here. */
  outcome: { connected: string | null; problem: string | null };
}) {
  const { t } = useTranslation(["settings", "agents"]);
  useEffect(() => {
    if (connected !== null) toast.success(t("agents:personal.signedIn", { name: connected }));
    if (problem !== null) toast.error(t("agents:personal.signInFailed", { message: problem }));
  }, [connected, problem, t]);
  return (
    <PageBoundary words={{ loading: t("loading"), failed: t("loadFailed"), retry: t("retry") }}>
      <Agents skill={skill} view={view} />
    </PageBoundary>
  );
}

function Agents({ skill, view }: { skill: SkillId | undefined; view: OpenView | null }) {
  const [{ data: preferences }, { data: setup }, { data: reach }] = useSuspenseQueries({
    queries: [preferencesQuery, setupQuery, reachQuery],
  });
  const found = listSkills().find(({ id }) => id === skill);
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[348px_minmax(0,1fr)] max-lg:grid-cols-[minmax(184px,280px)_minmax(320px,1fr)] max-md:block max-md:overflow-auto">
      <SkillList
        skill={skill}
        view={view?.name ?? null}
        preferences={preferences}
        setup={setup}
        folders={reach.folders}
      />
      {view !== null ? (
        view.draw(<BackLink />)
      ) : found === undefined ? (
        <General preferences={preferences} setup={setup} callsTools={reach.callsTools} />
      ) : (
        <SkillPanel
          key={found.id}
          skill={found}
          preferences={preferences}
          setup={setup}
          folders={reach.folders}
          back={<BackLink />}
        />
      )}
    </div>
  );
}

/** On phones, where a skill's panel takes the place of the list. */
function BackLink() {
  const { t } = useTranslation("agents");
  return (
    <Link
      className={cn(linkStyles, "inline-flex min-h-11 items-center gap-1.5 md:hidden")}
      to="/settings/agents"
      search={{}}
    >
      <ArrowLeft className="size-4 rtl:-scale-x-100" aria-hidden="true" />
      {t("backToList")}
    </Link>
  );
}

const iconStyles = "size-4 flex-none text-fg-3";
const rowStyles =
  "flex min-h-9 w-full max-md:min-h-11 min-w-0 flex-1 items-center gap-2.5 rounded-md px-2 py-1.5 text-start hover:bg-hover aria-[current=page]:bg-active";

function SkillList({
  skill: current,
  view,
  preferences,
  setup,
  folders,
}: {
  skill: SkillId | undefined;
  view: AgentView | null;
  preferences: Preferences;
  setup: Preferences;
  folders: readonly string[];
}) {
  const { t } = useTranslation("agents");
  const rules = rulesIn(preferences);
  return (
    <nav
      className={clsx(
        "min-h-0 overflow-auto border-e border-subtle px-4 py-4 scrollbar-thin scrollbar-thumb-line scrollbar-track-transparent **:focus-visible:-outline-offset-2 max-md:overflow-visible max-md:border-0 max-md:border-b max-md:px-2",
        (current !== undefined || view !== null) && "max-md:hidden",
      )}
      aria-label={t("list")}
    >
      <ListLink
        icon={<SlidersHorizontal className={iconStyles} aria-hidden="true" />}
        name={t("general")}
        state={t("generalHint")}
        current={current === undefined && view === null}
        phone="max-md:hidden"
      />
      <ListLink
        icon={<Workflow className={iconStyles} aria-hidden="true" />}
        search={{ view: "flows" }}
        name={t("flows")}
        state={t("flowsHint")}
        current={view === "flows"}
      />
      <ListLink
        icon={<Puzzle className={iconStyles} aria-hidden="true" />}
        search={{ view: "plugins" }}
        name={t("plugins")}
        state={t("pluginsHint")}
        current={view === "plugins"}
      />
      <ListLink
        icon={<KeyRound className={iconStyles} aria-hidden="true" />}
        search={{ view: "credentials" }}
        name={t("credentials")}
        state={t("credentialsHint")}
        current={view === "credentials"}
      />
      <h2 className="px-2 pt-4 pb-1 text-xs font-medium text-fg-3 max-md:pt-1">{t("list")}</h2>
      <ul>
        {listSkills().map((skill) => {
          const on = isOn(skill, preferences, setup);
          const isForbidden = rules[skill.id] === "forbid";
          const isIncomplete = on && !isForbidden && needsSetup(skill.id, preferences, folders);
          return (
            <li key={skill.id}>
              <ListLink
                icon={<SkillIcon skill={skill.id} className={iconStyles} />}
                search={{ skill: skill.id }}
                name={t(`skill.${skill.id}.name`)}
                state={t(isForbidden ? "forbidden" : isIncomplete ? "notSetUp" : on ? "on" : "off")}
                tone={isIncomplete ? "warning" : on && !isForbidden ? "success" : undefined}
                current={skill.id === current}
              />
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function ListLink({
  icon,
  search = {},
  name,
  state,
  tone,
  current,
  phone,
}: {
  icon: ReactNode;
  search?: SkillSearch;
  name: string;
  state: string;
  tone?: "success" | "warning" | undefined;
  current: boolean;
  phone?: string;
}) {
  return (
    <Link
      className={cn(rowStyles, phone)}
      to="/settings/agents"
      search={search}
      activeOptions={{ exact: true, includeSearch: true }}
      aria-current={current ? "page" : undefined}
    >
      {icon}
      <span className="line-clamp-2 min-w-0 flex-1 font-medium wrap-anywhere">{name}</span>
      <span
        className={clsx(
          "flex-none text-xs",
          tone === "success" ? "text-success" : tone === "warning" ? "text-warning" : "text-fg-3",
        )}
      >
        {state}
      </span>
    </Link>
  );
}

/** What isn't about one skill: automatic mode, limits, and what one person has allowed. */
function General({
  preferences,
  setup,
  callsTools,
}: {
  preferences: Preferences;
  setup: Preferences;
  callsTools: boolean | null;
}) {
  const { t } = useTranslation("agents");
  const [{ data: providers }] = useSuspenseQueries({ queries: [providersQuery] });
  const save = useSavePreferences();
  const settings = useSaveSettings();
  // With accounts, everybody has this list in their account.
  const { multiUser } = useRights();
  const { data: allowed } = useQuery({ ...allowedSkillsQuery, enabled: !multiUser });
  const automatic = preferences[agentLabels.automatic] === "true";
  const change = (on: boolean): void =>
    save.mutate(
      { [agentLabels.automatic]: String(on) },
      {
        onSuccess: () =>
          toast.success(t(on ? "mode.on" : "mode.off"), () =>
            save.mutate({ [agentLabels.automatic]: String(!on) }),
          ),
      },
    );
  const isLocked = providers.locked.includes(agentSettingKeys.maxToolCalls);
  return (
    <PageBody inside="split">
      <div className={cn(settingsColumn, "gap-8")}>
        {callsTools === false && (
          <Notice
            kind="warn"
            action={
              <Link className={linkStyles} to="/settings/llm-preference">
                {t("changeModel")}
              </Link>
            }
          >
            <p>{t("noTools")}</p>
          </Notice>
        )}
        <FormSection title={t("mode.title")} help={t("mode.help")}>
          <SwitchLine
            label={t("mode.label")}
            help={t("mode.switchHelp")}
            on={automatic}
            busy={save.isPending}
            onChange={change}
          />
        </FormSection>
        <FormSection title={t("limits.title")}>
          <NumberForm
            label={t("limits.label")}
            help={isLocked ? t("limits.locked") : t("limits.help", { max: maxMaxToolCalls })}
            saved={Number(setup[agentSettingKeys.maxToolCalls] ?? defaultMaxToolCalls)}
            max={maxMaxToolCalls}
            disabled={isLocked}
            done={t("limits.saved")}
            onSave={(number) =>
              settings.mutateAsync({ [agentSettingKeys.maxToolCalls]: String(number) })
            }
          />
        </FormSection>
        {!multiUser && (
          <FormSection title={t("allowed.title")} help={t("allowed.help")}>
            {allowed?.length === 0 && <p className="text-fg-3">{t("allowed.none")}</p>}
            {allowed !== undefined && allowed.length > 0 && <AllowedSkills skills={allowed} />}
          </FormSection>
        )}
      </div>
    </PageBody>
  );
}
