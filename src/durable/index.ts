export { LegibleError } from '../core/legible-error.ts'
export type { AuditEntry, AuditedCall, AuditedRule } from './audit/audit-entry.ts'
export type { ChainPlace } from './audit/audit-line.ts'
export { type AuditLog, openAuditLog } from './audit/audit-log.ts'
export type { AuditProblem, AuditProblemKind, AuditReport } from './audit/audit-report.ts'
export { recordCalls } from './audit/record-calls.ts'
export { redact } from './audit/redact.ts'
export { type VerifyAuditOptions, verifyAudit } from './audit/verify-audit.ts'
export { openPermissionFile, type PermissionFile } from './permission-file.ts'
export {
  answerRun,
  beginRun,
  type OpenRun,
  type RunHeader,
  type RunRecord,
  readRunFile,
  resumeRun,
} from './run-file.ts'
