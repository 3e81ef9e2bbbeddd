import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../checkout.ts";
import type { Sbom } from "../images/cyclonedx.ts";
import { readDebianPackages, type DebianPackage } from "../images/debian-packages.ts";
import { runCommand } from "../process.ts";
import { PlainError, withProgress } from "../terminal.ts";

/** What an image says about itself. */
export interface ImageContents {
  sbom: Sbom;
  debian: DebianPackage[];
  osRelease: string;
}

/** Builds, reads and publishes images; a release's only contact with Docker and a registry. */
export interface ImageTools {
  /** Builds a target of the Dockerfile under this name, and returns the image's id. */
  build(target: string, image: string, labels: Record<string, string>): Promise<string>;
  read(image: string): Promise<ImageContents>;
  /** Whether the registry has an image of this name. */
  isPublished(image: string): Promise<boolean>;
  /**
   * Pushes the image with this id under its name. Returns the name with the registry's digest:
   * `<repository>@sha256:…`. Throws a PlainError if the name is another image's by now.
   */
  push(image: string, id: string): Promise<string>;
}

const program = process.env.CARREL_DOCKER ?? "docker";

async function docker(what: string, ...args: string[]): Promise<string> {
  const { code, output } = await runCommand(program, args, {
    cwd: root,
    env: { ...process.env, DOCKER_BUILDKIT: "1" },
  });
  if (code === 127) throw new PlainError(`${what} needs Docker: there is no ${program}.`);
  if (code !== 0)
    throw new PlainError(`${what} failed:\n${output.trimEnd().split("\n").slice(-8).join("\n")}`);
  return output.trim();
}

export const dockerImages: ImageTools = {
  async build(target, image, labels) {
    const args = Object.entries(labels).flatMap(([name, value]) => ["--label", `${name}=${value}`]);
    await withProgress(`Building ${image}`, () =>
      docker(`Building ${image}`, "build", "--target", target, "-t", image, ...args, "."),
    );
    return docker("Reading the image", "image", "inspect", "--format", "{{.Id}}", image);
  },
  async read(image) {
    const folder = mkdtempSync(join(tmpdir(), "carrel-image-"));
    const container = await docker("Reading the image", "create", image);
    try {
      const copy = (path: string, name: string): Promise<string> =>
        docker("Reading the image", "cp", "-L", `${container}:${path}`, join(folder, name));
      await copy("/app/sbom.cdx.json", "sbom.json");
      await copy("/var/lib/dpkg/status.d", "status.d");
      await copy("/etc/os-release", "os-release");
      return {
        sbom: JSON.parse(readFileSync(join(folder, "sbom.json"), "utf8")) as Sbom,
        debian: readDebianPackages(join(folder, "status.d")),
        osRelease: readFileSync(join(folder, "os-release"), "utf8"),
      };
    } finally {
      await docker("Reading the image", "rm", "-v", container);
      rmSync(folder, { recursive: true, force: true });
    }
  },
  async isPublished(image) {
    const { code, output } = await runCommand(program, ["manifest", "inspect", image]);
    if (code === 0) return true;
    if (/no such manifest|manifest unknown|not found/i.test(output)) return false;
    throw new PlainError(
      `Couldn't ask the registry whether it has ${image}:\n${output.trimEnd().split("\n").slice(-4).join("\n")}`,
    );
  },
  async push(image, id) {
    const present = await docker("Pushing", "image", "inspect", "--format", "{{.Id}}", image);
    if (present !== id)
      throw new PlainError(`${image} isn't the image that was built for this release (${id}).`);
    await withProgress(`Pushing ${image}`, () => docker(`Pushing ${image}`, "push", image));
    const repository = image.slice(0, image.lastIndexOf(":"));
    const digests = JSON.parse(
      await docker("Pushing", "image", "inspect", "--format", "{{json .RepoDigests}}", image),
    ) as string[];
    const digest = digests.find((each) => each.startsWith(`${repository}@`));
    if (digest === undefined) throw new PlainError(`The registry gave no digest for ${image}.`);
    return digest;
  },
};
