import {
  agentLabels,
  defaultMaxQuestions,
  maxMaxQuestions,
  type SkillDeclaration,
  type SkillId,
} from "@carrel/contracts/skill-declaration";
import { Suspense, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ApprovalRule } from "../../../components/approval-rule.tsx";
import { NumberForm } from "../../../components/setting-parts.tsx";
import { FormSection, PageBody, settingsColumn } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { SwitchLine } from "../../../components/ui/switch-line.tsx";
import { useSavePreferences, type Preferences } from "../../../lib/agent-preferences.ts";
import { cn } from "../../../lib/cn.ts";
import { lazyPart } from "../../../lib/lazy-part.ts";
import { isKnownTool } from "../../../lib/step-texts.ts";
import { toast } from "../../../lib/toast.ts";
import { isOn, isPersonal, namesIn, switchOf, toolSwitchOf } from "../state/skills.ts";

const SearchProviderForm = lazyPart(() => import("./search-provider-form.tsx"));
const SqlConnections = lazyPart(() => import("./sql-connections.tsx"));
const PersonalSetup = lazyPart(() => import("./personal-setup.tsx"));

interface PanelProps {
  skill: SkillDeclaration & { id: SkillId };
  preferences: Preferences;
  setup: Preferences;
  folders: readonly string[];
  back: ReactNode;
}

/** One skill: whether it is on, what it can reach, its tools and settings, and who approves it. */
export function SkillPanel({ skill, preferences, setup, folders, back }: PanelProps) {
  const { t } = useTranslation("agents");
  const save = useSavePreferences();
  const name = t(`skill.${skill.id}.name`);
  const on = isOn(skill, preferences, setup);
  const change = (next: boolean): void =>
    save.mutate((current) => switchOf(skill, next, current), {
      onSuccess: () =>
        toast.success(t(next ? "switchedOn" : "switchedOff", { skill: name }), () =>
          save.mutate((current) => switchOf(skill, !next, current)),
        ),
    });
  return (
    <PageBody inside="split">
      <div className={cn(settingsColumn, "gap-8")}>
        <div className="grid gap-4">
          {back}
          <div>
            <h2 className="text-lg font-semibold tracking-snug">{name}</h2>
            <p className="text-pretty text-fg-2">{t(`skill.${skill.id}.help`)}</p>
          </div>
          <SwitchLine
            label={t("switch")}
            help={t("switchHelp")}
            on={on}
            busy={save.isPending}
            onChange={change}
          />
        </div>
        <FormSection title={t("reach")} help={t(`skill.${skill.id}.reach`)} />
        <Suspense fallback={null}>
          <SkillSettings
            skill={skill.id}
            preferences={preferences}
            setup={setup}
            folders={folders}
          />
        </Suspense>
        <Tools skill={skill} preferences={preferences} />
        <ApprovalRule skill={skill.id} name={name} preferences={preferences} />
      </div>
    </PageBody>
  );
}

/** Settings that only some skills have. */
function SkillSettings({
  skill,
  preferences,
  setup,
  folders,
}: {
  skill: SkillId;
  preferences: Preferences;
  setup: Preferences;
  folders: readonly string[];
}) {
  const { t } = useTranslation("agents");
  const save = useSavePreferences();
  if (isPersonal(skill)) return <PersonalSetup skill={skill} />;
  switch (skill) {
    case "web-browsing":
      return <SearchProviderForm preferences={preferences} setup={setup} />;
    case "sql-agent":
      return <SqlConnections preferences={preferences} />;
    case "filesystem-agent":
      return (
        <FormSection
          title={t("folders.title")}
          help={folders.length > 0 ? t("folders.help") : null}
        >
          {folders.length === 0 ? (
            <Notice kind="warn">
              <p>{t("folders.none")}</p>
            </Notice>
          ) : (
            <ul className="grid gap-1">
              {folders.map((folder) => (
                <li key={folder} className="font-mono text-[0.93em] wrap-anywhere" dir="ltr">
                  {folder}
                </li>
              ))}
            </ul>
          )}
        </FormSection>
      );
    case "request-user-input":
      return (
        <FormSection title={t("questions.title")}>
          <NumberForm
            label={t("questions.label")}
            help={t("questions.help", { max: maxMaxQuestions })}
            saved={Number(setup.AgentClarifyingQuestionsMaxPerTurn ?? defaultMaxQuestions)}
            max={maxMaxQuestions}
            done={t("questions.saved")}
            onSave={(number) => save.mutateAsync({ [agentLabels.maxQuestions]: String(number) })}
          />
        </FormSection>
      );
    default:
      return null;
  }
}

/** What a tool does, in the words of the steps that use it. */
function useToolName(): (tool: string) => string {
  const { t } = useTranslation("steps");
  return (tool) => (isKnownTool(tool) ? t(`tool.${tool}.do`) : tool);
}

function Tools({
  skill: { tools, disabledTools },
  preferences,
}: {
  skill: SkillDeclaration;
  preferences: Preferences;
}) {
  const { t } = useTranslation("agents");
  const save = useSavePreferences();
  const nameOf = useToolName();
  if (disabledTools === undefined)
    return (
      <FormSection title={t("tools")}>
        <ul className="grid gap-1">
          {tools.map((tool) => (
            <li key={tool} className="flex flex-wrap items-baseline gap-x-3">
              <span className="font-medium">{nameOf(tool)}</span>
              <code className="text-xs text-fg-3">{tool}</code>
            </li>
          ))}
        </ul>
      </FormSection>
    );
  const off = namesIn(preferences, disabledTools);
  const change = (tool: string, on: boolean): void =>
    save.mutate((current) => toolSwitchOf(disabledTools, tool, on, current), {
      onSuccess: () => toast.success(t(on ? "toolOn" : "toolOff", { tool: nameOf(tool) })),
    });
  return (
    <FormSection title={t("tools")} help={t("toolsHelp")}>
      <div className="grid gap-3">
        {tools.map((tool) => (
          <SwitchLine
            key={tool}
            label={nameOf(tool)}
            help={<code className="text-xs text-fg-3">{tool}</code>}
            on={!off.includes(tool)}
            busy={save.isPending}
            onChange={(on) => change(tool, on)}
          />
        ))}
      </div>
    </FormSection>
  );
}
