export * from './standalone.ts';
