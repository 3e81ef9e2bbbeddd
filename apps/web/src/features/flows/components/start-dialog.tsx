import { useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { SelectField } from "../../../components/ui/text-field.tsx";
import { addTexts } from "../../../lib/i18n.ts";
import { queryClient, useSubmission } from "../../../lib/query-client.ts";
import {
  flowRequestsQuery,
  type PlannedRequests,
  type SharedFlow,
} from "../../../lib/shared-flows.ts";
import { workspacesQuery } from "../../../lib/workspaces.ts";
import runTexts from "../../../locales/en/flow-runs.json" with { type: "json" };
import flowTexts from "../../../locales/en/flows.json" with { type: "json" };
import { startRun } from "../api/runs.ts";
import { RequestList } from "./request-list.tsx";
import { useInputs, VariableInputs } from "./variable-inputs.tsx";

// Loaded with this dialog, which other pages open, too.
addTexts("flows", flowTexts);
addTexts("flow-runs", runTexts);

/** What a flow needs to know, then what it would request, then it starts. */
export default function StartDialog({
  flow,
  workspace = null,
  onClose,
  onStarted,
}: {
  flow: SharedFlow;
  /** Slug of the one that it searches unless another is chosen. */
  workspace?: string | null;
  onClose: () => void;
  onStarted: (id: string) => void;
}) {
  const { t } = useTranslation("flow-runs");
  const inputs = useInputs(flow.variables);
  const { data: workspaces } = useQuery({ ...workspacesQuery, enabled: flow.searches });
  const [slug, setSlug] = useState(workspace);
  const chosen = flow.searches ? (slug ?? workspaces?.[0]?.slug) : undefined;
  /** What the person confirms, with the values that it is about. */
  const [planned, setPlanned] = useState<(PlannedRequests & { values: Inputs }) | null>(null);
  const start = async (values: Inputs): Promise<void> =>
    onStarted(
      await startRun({
        id: flow.id,
        inputs: values,
        ...(chosen !== undefined && { slug: chosen }),
      }),
    );
  const { submit, busy, error, clearError } = useSubmission(async (values: Inputs) => {
    if (planned !== null) return start(values);
    const found = await queryClient.fetchQuery(flowRequestsQuery(flow.id, values));
    if (found.requests.length + found.approvals.length === 0) return start(values);
    setPlanned({ ...found, values });
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const values = planned?.values ?? inputs.read();
    if (values !== null && !busy) submit(values);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("startTitle", { name: flow.name })}
      description={planned === null ? flow.description : t("confirmHelp")}
      className="max-h-[calc(100dvh-32px)] overflow-y-auto"
    >
      <form className="grid grid-cols-1 gap-4" noValidate onSubmit={onSubmit}>
        {planned === null ? (
          <>
            <VariableInputs inputs={inputs} />
            {flow.searches && (
              <SelectField label={t("workspace")} value={chosen ?? ""} onChange={setSlug}>
                {workspaces?.map((each) => (
                  <option key={each.slug} value={each.slug}>
                    {each.name}
                  </option>
                ))}
              </SelectField>
            )}
          </>
        ) : (
          <RequestList planned={planned} />
        )}
        {error && (
          <Notice kind="bad">
            <p>{error.message}</p>
          </Notice>
        )}
        <DialogFooter>
          {planned === null ? (
            <Button variant="quiet" onClick={onClose}>
              {t("cancel")}
            </Button>
          ) : (
            <Button
              variant="quiet"
              onClick={() => {
                clearError();
                setPlanned(null);
              }}
            >
              {t("back")}
            </Button>
          )}
          <Button type="submit" variant="primary" aria-busy={busy}>
            {t(planned === null ? "continue" : "runFlow")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

type Inputs = Record<string, string>;
