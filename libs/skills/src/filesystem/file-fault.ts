import { clipText, renderFault, type KnownFault } from "@carrel/contracts";
import { ToolError } from "../tool.ts";

/** @param advice for the model, which may correct its input */
export const fileError = (fault: KnownFault, advice = ""): ToolError =>
  new ToolError(`${renderFault(fault)} ${advice}`.trim(), fault);

/** Without characters that would show another path than it is. */
export const showPath = (path: string): string =>
  clipText(path.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\ufffd"), 300);

/** What a file system's error means, without the path on the server that it contains. */
export function toFileError(error: unknown, path: string): ToolError {
  if (error instanceof ToolError) return error;
  const params = { path: showPath(path) };
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case "ENOENT":
      return fileError({ code: "agent-file.missing", params });
    case "ENOTDIR":
      return fileError({ code: "agent-file.not-a-folder", params });
    case "EEXIST":
    case "ENOTEMPTY":
      return fileError({ code: "agent-file.exists", params });
    case "ELOOP":
    case "EMLINK":
      return fileError({ code: "agent-file.link", params });
    case "EISDIR":
    case "ENXIO":
      return fileError({ code: "agent-file.not-a-file", params });
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return fileError({ code: "agent-file.no-permission", params });
    case "ENAMETOOLONG":
    case "EINVAL":
    case "ERR_INVALID_ARG_VALUE":
    case "EILSEQ":
      return fileError({ code: "agent-file.name-unusable", params });
    case "ENOSPC":
    case "EDQUOT":
      return fileError({ code: "agent-file.disk-full", params });
    default:
      return fileError({
        code: "agent-file.failed",
        params: { ...params, cause: typeof code === "string" ? ` (${code})` : "" },
      });
  }
}
