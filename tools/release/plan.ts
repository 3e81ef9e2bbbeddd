export interface ReleasePlan {
  /** The checkout to release. */
  checkout: string;
  /** Receives the files. Doesn't exist yet, or has this release, unpublished, and `push` is set. */
  folder: string;
  /** Prefix of the images' names, such as `registry.example.com/`. */
  registry: string;
  /** File of an Ed25519 key (PEM). */
  key?: string;
  /** Key that cosign reads: a file, or the address of a key service. */
  cosignKey?: string;
  push: boolean;
  /** Everything but the images. */
  dryRun: boolean;
}

export interface ReleasedImage {
  image: string;
  id: string;
  /** With the registry's digest, if it was pushed. */
  published: string | null;
  sbom: string;
}
