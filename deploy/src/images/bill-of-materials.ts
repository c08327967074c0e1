/**
 * The bill of materials of a bundle, in CycloneDX: every package that is at least partly in the bundle, as reported by
 * the bundler and the copied folders, not by a manifest. The base image has its own bill of materials.
 */

import { FromNodePackageJson, License } from '@cyclonedx/cyclonedx-library/Contrib'
import { ComponentType } from '@cyclonedx/cyclonedx-library/Enums'
import { Bom, Component } from '@cyclonedx/cyclonedx-library/Models'
import { JSON as Json, JsonSerializer } from '@cyclonedx/cyclonedx-library/Serialize'
import { Spec1dot6 } from '@cyclonedx/cyclonedx-library/Spec'
import { PackageURL } from 'packageurl-js'
import parseExpression from 'spdx-expression-parse'
import type { Package } from './packages.ts'

const builder = new FromNodePackageJson.Builders.ComponentBuilder(
  new FromNodePackageJson.Factories.ExternalReferenceFactory(),
  new License.Factories.LicenseFactory(parseExpression),
)

export type Subject = { service: string; version: string; description: string }

/** Returns the document as JSON. Equal parts give equal text. */
export function billOfMaterials({ service, version, description }: Subject, parts: readonly Package[]): string {
  const bom = new Bom()
  bom.metadata.component = new Component(ComponentType.Application, service, {
    bomRef: service,
    version,
    description,
    group: '@financial-agents',
  })
  for (const part of parts) {
    const component = builder.makeComponent({ ...part.manifest, name: part.name, version: part.version })
    if (!component) throw new Error(`${part.name} has a manifest that cannot be described`)
    component.purl = purlOf(part)
    component.bomRef.value = component.purl
    bom.components.add(component)
    bom.metadata.component.dependencies.add(component.bomRef)
  }
  const serializer = new JsonSerializer(new Json.Normalize.Factory(Spec1dot6))
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`
}

function purlOf({ name, version }: Package): string {
  const [scope, plain] = name.startsWith('@') ? name.split('/') : [undefined, name]
  return new PackageURL('npm', scope, plain, version).toString()
}
