import type { AdvanceApproval } from "@carrel/contracts";
import { Plus, ShieldCheck, X } from "lucide-react";
import { useId, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { ApprovalText, FlowApprovals } from "../../../components/flow-approvals.tsx";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Field, FieldLabel, Select } from "../../../components/ui/field.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { isSameApproval, useApprovalWords } from "../../../lib/approvals.ts";
import { allowableSkills } from "../state/approvals.ts";
import type { Content } from "../state/content.ts";

/** What unattended runs may do without asking. */
export function ApprovalsField({
  content,
  onChange,
}: {
  content: Content;
  onChange: (approvals: AdvanceApproval[]) => void;
}) {
  const { t } = useTranslation(["schedules", "agents"]);
  const { sayApproval } = useApprovalWords();
  const [isAdding, setAdding] = useState(false);
  const { approvals, kind, flowId, inputs } = content;
  if (kind === "flow")
    return flowId === "" ? (
      <p className="text-fg-3">{t("form.approvalsChooseFlow")}</p>
    ) : (
      <FlowApprovals flowId={flowId} inputs={inputs} approvals={approvals} onChange={onChange} />
    );
  const add = (approval: AdvanceApproval): void => {
    if (!approvals.some((each) => isSameApproval(each, approval)))
      onChange([...approvals, approval]);
  };
  return (
    <div className="grid grid-cols-1 gap-3">
      {approvals.length === 0 ? (
        <p className="text-fg-3">{t("form.approvalsNone")}</p>
      ) : (
        <>
          <p className="font-medium">{t("form.may")}</p>
          <ul className="grid grid-cols-1 divide-y divide-line rounded-md border border-line">
            {approvals.map((approval) => (
              <li
                key={`${approval.tool} ${approval.destination}`}
                className="flex min-h-10 items-center gap-2.5 py-1 ps-3 pe-1"
              >
                <ShieldCheck className="size-4 flex-none text-success" aria-hidden="true" />
                <ApprovalText approval={approval} />
                <IconButton
                  className="max-md:size-11"
                  label={t("form.remove", { approval: sayApproval(approval) })}
                  onClick={() => onChange(approvals.filter((each) => each !== approval))}
                >
                  <X />
                </IconButton>
              </li>
            ))}
          </ul>
        </>
      )}
      <div>
        <Button onClick={() => setAdding(true)}>
          <Plus className="size-3.5 stroke-2" aria-hidden="true" />
          {t("form.add")}
        </Button>
      </div>
      {isAdding && <AddDialog onAdd={add} onClose={() => setAdding(false)} />}
    </div>
  );
}

/** Not a tool's name, which is never empty. */
const other = "";

function AddDialog({
  onAdd,
  onClose,
}: {
  onAdd: (approval: AdvanceApproval) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation(["schedules", "agents"]);
  const { sayTool } = useApprovalWords();
  const id = useId();
  const [tool, setTool] = useState<string>(allowableSkills[0]?.tools[0] ?? other);
  const [name, setName] = useState("");
  const [destination, setDestination] = useState("");
  const [isChecked, setChecked] = useState(false);
  const chosen = tool === other ? name.trim() : tool;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation(); // it is drawn within the schedule's form
    setChecked(true);
    if (chosen === "") return;
    onAdd({ tool: chosen, destination: destination.trim() || null });
    onClose();
  };
  return (
    <Dialog open onClose={onClose} title={t("form.addTitle")} description={t("form.addText")}>
      <form className="grid grid-cols-1 gap-4" onSubmit={submit} noValidate>
        <Field>
          <FieldLabel htmlFor={id}>{t("form.tool")}</FieldLabel>
          <Select id={id} value={tool} autoFocus onChange={(event) => setTool(event.target.value)}>
            {allowableSkills.map((skill) => (
              <optgroup key={skill.id} label={t(`agents:skill.${skill.id}.name`)}>
                {skill.tools.map((each) => (
                  <option key={each} value={each}>
                    {sayTool(each)}
                  </option>
                ))}
              </optgroup>
            ))}
            <option value={other}>{t("form.toolOther")}</option>
          </Select>
        </Field>
        {tool === other && (
          <TextField
            label={t("form.toolName")}
            dir="ltr"
            value={name}
            maxLength={100}
            autoComplete="off"
            spellCheck={false}
            help={t("form.toolNameHelp")}
            problem={isChecked && name.trim() === "" ? t("form.problem.missing") : null}
            onChange={(event) => setName(event.target.value)}
          />
        )}
        <TextField
          label={t("form.destination")}
          extra={<span className="font-normal text-fg-3">{t("form.optional")}</span>}
          dir="ltr"
          value={destination}
          maxLength={2_000}
          autoComplete="off"
          spellCheck={false}
          help={t("form.destinationHelp")}
          onChange={(event) => setDestination(event.target.value)}
        />
        <DialogFooter>
          <Button variant="quiet" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button type="submit" variant="primary">
            {t("form.add")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
