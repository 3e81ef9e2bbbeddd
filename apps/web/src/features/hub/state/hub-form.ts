import {
  defaultHubAddress,
  hubKeyMask,
  type Args,
  type HubDownloads,
  type HubSettings,
  type HubSource,
  type updateHubSettings,
} from "@carrel/contracts";

type Repository = Extract<HubSource, { kind: "repository" }>;

/** The form's values; switching between kinds of source keeps what was typed for each. */
export interface HubForm {
  kind: HubSource["kind"];
  address: string;
  path: string;
  platform: Repository["platform"];
  repo: string;
  branch: string;
  /** The mask stands for the stored one. */
  key: string;
  downloads: HubDownloads;
}

export function toForm({ source, downloads, connectionKey, folders }: HubSettings): HubForm {
  return {
    kind: source.kind,
    address: source.kind === "server" ? source.address : defaultHubAddress,
    path: source.kind === "folder" ? source.path : (folders[0] ?? ""),
    platform: source.kind === "repository" ? source.platform : "github",
    repo: source.kind === "repository" ? source.repo : "",
    branch: source.kind === "repository" ? source.branch : "",
    key: connectionKey ?? "",
    downloads,
  };
}

export function toSource({ kind, address, path, platform, repo, branch }: HubForm): HubSource {
  switch (kind) {
    case "off":
      return { kind };
    case "server":
      return { kind, address };
    case "folder":
      return { kind, path };
    case "repository":
      return { kind, platform, repo, branch };
  }
}

export const needsKey = ({ kind }: HubForm): boolean => kind === "server" || kind === "repository";

/** Fields of the form that were changed, and matter for its source. */
export function countChanges(form: HubForm, saved: HubForm): number {
  const shown: Record<HubForm["kind"], (keyof HubForm)[]> = {
    off: [],
    server: ["address", "key"],
    folder: ["path"],
    repository: ["platform", "repo", "branch", "key"],
  };
  const fields: (keyof HubForm)[] = ["kind", "downloads", ...shown[form.kind]];
  return fields.filter((field) => form[field] !== saved[field]).length;
}

/** Which field isn't filled in. */
export function missingField(form: HubForm): "address" | "path" | "repo" | null {
  if (form.kind === "server" && form.address.trim() === "") return "address";
  if (form.kind === "folder" && form.path.trim() === "") return "path";
  return form.kind === "repository" && form.repo.trim() === "" ? "repo" : null;
}

export function toUpdate(form: HubForm, saved: HubForm): Args<typeof updateHubSettings> {
  const isKeyKept = !needsKey(form) || form.key === saved.key || form.key.startsWith(hubKeyMask);
  return {
    source: toSource(form),
    downloads: form.downloads,
    ...(!isKeyKept && { connectionKey: form.key.trim() }),
  };
}
