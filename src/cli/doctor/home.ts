// The home folder: it exists, is writable by the user and readable by nobody else, and its config file can be parsed.

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { configPlaces, shownPath } from '../../config/index.ts';
import { toVaiError } from '../../domain/errors.ts';
import { homedir } from 'node:os';
import { plural } from '../../tools/shared/text.ts';
import type { Frame } from '../frame.ts';
import { ok, problem, warning, type Finding } from './finding.ts';

export async function checkHome(frame: Frame): Promise<Finding[]> {
  const { home, configPath } = configPlaces(frame);
  const shown = shownPath(home, homedir());
  const place = existsSync(home) ? home : dirname(home);
  if (existsSync(home) && !statSync(home).isDirectory())
    return [problem('permissions', `${shown} is not a folder.`, 'set VAI_HOME to a folder')];
  const found: Finding[] = [];
  try {
    accessSync(place, constants.W_OK);
    found.push(
      ok(
        'permissions',
        existsSync(home) ? `${shown} is writable.` : `${shown} will be created when it is needed.`,
      ),
    );
  } catch {
    found.push(
      problem(
        'permissions',
        existsSync(home) ? `${shown} is not writable.` : `${shown} cannot be created.`,
        `chmod u+rwx '${place}', or set VAI_HOME to another folder`,
      ),
    );
  }
  if (process.platform !== 'win32') {
    for (const path of [home, configPath]) {
      if (existsSync(path) && (statSync(path).mode & 0o077) !== 0) {
        const name = shownPath(path, homedir());
        found.push(
          warning(
            'permissions',
            `${name} can be read by other users of this machine.`,
            `chmod go-rwx '${path}'`,
          ),
        );
      }
    }
  }
  return found;
}

export async function checkConfig(frame: Frame): Promise<Finding[]> {
  try {
    const settings = await frame.settings();
    const chosen = Object.entries(settings.origins).filter(([, origin]) => origin !== 'default').length;
    return [
      ok(
        'config',
        chosen === 0
          ? 'All settings have their default values.'
          : `${plural(chosen, 'setting')} not at the default; see \`vai config list --origins\`.`,
      ),
      ...settings.warnings.map((message) => warning('config', message)),
    ];
  } catch (thrown) {
    const error = toVaiError(thrown);
    return [problem('config', error.message, error.hint ?? 'Correct the file, or move it elsewhere.')];
  }
}
