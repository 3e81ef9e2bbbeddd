export { encodePicture, largestPicture, type PictureBox } from "./encode-picture.ts";
export { Turnstile } from "./turnstile.ts";
export { tellFormat, type PictureFormat } from "./picture-format.ts";
