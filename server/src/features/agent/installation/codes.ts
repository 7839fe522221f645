import { createHmac, randomInt } from 'node:crypto';
import { codeAlphabet, codeGroupLength, codeGroups } from '@earshot/contract/installation';
import type { SecretBox } from '../../../platform/secrets/secret-box.ts';

/** 60 random bits. */
export const newCode = (): string =>
  Array.from({ length: codeGroups * codeGroupLength }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join('');

/** With a key that is not in the database: 60 bits can be searched for in a stolen copy of plain hashes. */
export const hashCode = (secretBox: SecretBox, code: string): Buffer =>
  createHmac('sha256', secretBox.derive('installation code')).update(code).digest();
