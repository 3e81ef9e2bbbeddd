export { encodePicture, largestPicture, type PictureBox } from "./encode-picture.ts";
export { Turnstile } from "./turnstile.ts";
export { detectPictureFormat, type PictureFormat } from "./picture-format.ts";
