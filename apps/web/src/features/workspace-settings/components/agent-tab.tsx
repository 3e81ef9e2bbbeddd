import type { WorkspaceWire } from "@carrel/contracts";
import { isSkill } from "@carrel/contracts/skill-declaration";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { FailedQuery, Notice } from "../../../components/ui/notice.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { SwitchLine } from "../../../components/ui/switch-line.tsx";
import "../../../lib/agent-texts.ts";
import { useRights } from "../../../lib/current-user.ts";
import { agentModelQuery, useSaveWorkspaceSkills, workspaceSkillsQuery } from "../api/agent.ts";
import { useUpdateWorkspace } from "../api/workspace.ts";
import { changeOf, savedOf, useDraft, valuesOf } from "../state/workspace-form.ts";
import { ModelChoice } from "./model-choice.tsx";
import { SettingsForm } from "./settings-form.tsx";

/** The model, mode and skills of a workspace's agents. */
export function AgentTab({ workspace }: { workspace: WorkspaceWire }) {
  const { t } = useTranslation("agents");
  const { t: texts } = useTranslation("workspace");
  const { admin } = useRights();
  const { slug } = workspace;
  const draft = useDraft(valuesOf(workspace));
  const update = useUpdateWorkspace(slug);
  const skills = useQuery(workspaceSkillsQuery(slug));
  const callsTools = useQuery(agentModelQuery(slug)).data;
  const saveSkills = useSaveWorkspaceSkills(slug);
  const saved = (skills.data ?? []).filter(({ isOn }) => !isOn).map(({ id }) => id);
  const [typed, setTyped] = useState<readonly string[] | null>(null);
  const off = typed ?? saved;
  const skillsChanged = off.toSorted().join() !== saved.toSorted().join();
  const { values, set } = draft;
  const hasModelChange = draft.changed.some((name) => name.startsWith("agent"));
  const save = async () => {
    const undos: (() => Promise<unknown>)[] = [];
    if (draft.changed.length > 0) {
      const before = savedOf(draft.changed, workspace);
      await update.mutateAsync(changeOf(draft.changed, values));
      draft.settle(values);
      undos.push(() => update.mutateAsync(before));
    }
    if (skillsChanged) {
      await saveSkills.mutateAsync(off.filter(isSkill));
      setTyped(null);
      undos.push(() => saveSkills.mutateAsync(saved.filter(isSkill)));
    }
    return () => Promise.all(undos.map((undo) => undo()));
  };
  return (
    <SettingsForm
      label={texts("tab.agent-config")}
      changes={draft.changed.length + Number(skillsChanged)}
      faults={0}
      onSave={save}
      onDiscard={() => {
        draft.discard();
        setTyped(null);
      }}
    >
      <FormSection title={t("workspace.model")} help={t("workspace.modelHelp")}>
        <ModelChoice
          slug={slug}
          provider={values.agentProvider}
          model={values.agentModel}
          standard={t("workspace.sameModel")}
          saved={{ provider: workspace.agentProvider ?? "", model: workspace.agentModel ?? "" }}
          onChange={(agentProvider, agentModel) => set({ agentProvider, agentModel })}
        />
        {callsTools === false && !hasModelChange && (
          <Notice kind="warn">
            <p>{t("workspace.noTools")}</p>
          </Notice>
        )}
      </FormSection>
      <FormSection title={t("workspace.mode")}>
        <SwitchLine
          label={t("workspace.automatic")}
          help={t("workspace.automaticHelp")}
          on={values.chatMode === "automatic"}
          onChange={(on) =>
            set({
              chatMode: on
                ? "automatic"
                : workspace.chatMode === "automatic"
                  ? "chat"
                  : workspace.chatMode,
            })
          }
        />
      </FormSection>
      <FormSection title={t("workspace.skills")} help={t("workspace.skillsHelp")}>
        {skills.error && (
          <FailedQuery
            title={t("workspace.loadFailed")}
            retryLabel={t("workspace.retry")}
            error={skills.error}
            retry={() => void skills.refetch()}
          />
        )}
        {skills.data?.length === 0 && <p>{t("workspace.none")}</p>}
        {skills.data?.map(
          ({ id }) =>
            isSkill(id) && (
              <SwitchLine
                key={id}
                label={t(`skill.${id}.name`)}
                help={t(`skill.${id}.help`)}
                on={!off.includes(id)}
                onChange={(on) => setTyped(on ? off.filter((each) => each !== id) : [...off, id])}
              />
            ),
        )}
        {admin && (
          <Link className={linkStyles} to="/settings/agents">
            {t("workspace.manage")}
          </Link>
        )}
      </FormSection>
    </SettingsForm>
  );
}
