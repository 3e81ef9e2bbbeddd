import type { Workspace } from "../carrel/api.ts";
import { word } from "../carrel/failure.ts";

interface Props {
  workspaces: Workspace[];
  /** Null: only the library. */
  chosen: number | null;
  onChoose: (id: number | null) => void;
}

export const WorkspaceField = ({ workspaces, chosen, onChoose }: Props) => (
  <div class="field">
    <label for="workspace">{word("workspace")}</label>
    <select
      id="workspace"
      value={chosen ?? ""}
      onChange={({ currentTarget: { value } }) => onChoose(value === "" ? null : Number(value))}
    >
      {workspaces.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      <option value="">{word("libraryOnly")}</option>
    </select>
  </div>
);
