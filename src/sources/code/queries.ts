// What defines and what names something, for each grammar, as a tree-sitter query. The name of a capture is the kind of the
// definition or of the reference; `name` is the part that names it, `on` what stands before the dot of a call.

const JAVASCRIPT = `
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(class_declaration name: (_) @name) @class
(class name: (_) @name) @class
(method_definition name: (_) @name) @method
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @function
(variable_declarator name: (identifier) @name value: (class)) @class
(program (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
(program (variable_declaration (variable_declarator name: (identifier) @name) @constant))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @constant)))
(assignment_expression left: (member_expression property: (property_identifier) @name) right: [(arrow_function) (function_expression)]) @function
(assignment_expression left: (identifier) @name right: [(arrow_function) (function_expression)]) @function
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @method
(import_statement source: (string (string_fragment) @name)) @import
(export_statement source: (string (string_fragment) @name)) @import
(call_expression function: (identifier) @_require arguments: (arguments . (string (string_fragment) @name)) (#eq? @_require "require")) @import
(call_expression function: (import) arguments: (arguments . (string (string_fragment) @name))) @import
(call_expression function: (identifier) @name) @call
(call_expression function: (member_expression object: (_) @on property: (property_identifier) @name)) @call
(new_expression constructor: (identifier) @name) @call
(new_expression constructor: (member_expression object: (_) @on property: (property_identifier) @name)) @call
`;

const TYPESCRIPT = `
${JAVASCRIPT}
(abstract_class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name) @enum
(internal_module name: (_) @name) @module
(module name: (_) @name) @module
(function_signature name: (_) @name) @function
(method_signature name: (_) @name) @method
(abstract_method_signature name: (_) @name) @method
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @method
(public_field_definition name: (_) @name) @field
(property_signature name: (_) @name) @field
(class_heritage (extends_clause value: (_) @name)) @extends
(class_heritage (implements_clause (_) @name)) @implements
(extends_type_clause type: (_) @name) @extends
`;

const ONLY_JAVASCRIPT = `
${JAVASCRIPT}
(field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @method
(field_definition property: (_) @name) @field
(class_heritage (_) @name) @extends
`;

const PYTHON = `
(class_definition name: (_) @name) @class
(function_definition name: (_) @name) @function
(module (expression_statement (assignment left: (identifier) @name) @constant))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @field)))
(class_definition superclasses: (argument_list [(identifier) (attribute)] @name)) @extends
(import_statement name: (dotted_name) @name) @import
(import_statement name: (aliased_import name: (dotted_name) @name)) @import
(import_from_statement module_name: (_) @name) @import
(call function: (identifier) @name) @call
(call function: (attribute object: (_) @on attribute: (identifier) @name)) @call
`;

const GO = `
(function_declaration name: (_) @name) @function
(method_declaration receiver: (parameter_list (parameter_declaration type: (_) @owner)) name: (_) @name) @method
(type_spec name: (_) @name type: (struct_type)) @struct
(type_spec name: (_) @name type: (interface_type)) @interface
(type_spec name: (_) @name) @type
(type_alias name: (_) @name) @type
(method_elem name: (_) @name) @method
(source_file (const_declaration (const_spec name: (identifier) @name) @constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @constant))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @constant)))
(import_spec path: (interpreted_string_literal) @name) @import
(call_expression function: (identifier) @name) @call
(call_expression function: (selector_expression operand: (_) @on field: (field_identifier) @name)) @call
`;

const RUST = `
(function_item name: (_) @name) @function
(function_signature_item name: (_) @name) @function
(struct_item name: (_) @name) @struct
(union_item name: (_) @name) @struct
(enum_item name: (_) @name) @enum
(trait_item name: (_) @name) @trait
(mod_item name: (_) @name) @module
(type_item name: (_) @name) @type
(const_item name: (_) @name) @constant
(static_item name: (_) @name) @constant
(macro_definition name: (_) @name) @macro
(impl_item type: (_) @name) @impl
(impl_item trait: (_) @name) @implements
(trait_item bounds: (trait_bounds [(type_identifier) (scoped_type_identifier) (generic_type)] @name)) @extends
(use_declaration argument: (_) @name) @import
(call_expression function: (identifier) @name) @call
(call_expression function: (field_expression value: (_) @on field: (field_identifier) @name)) @call
(call_expression function: (scoped_identifier path: (_) @on name: (identifier) @name)) @call
(call_expression function: (generic_function function: (identifier) @name)) @call
(call_expression function: (generic_function function: (scoped_identifier path: (_) @on name: (identifier) @name))) @call
(call_expression function: (generic_function function: (field_expression value: (_) @on field: (field_identifier) @name))) @call
(macro_invocation macro: (identifier) @name) @call
`;

const JAVA = `
(class_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(annotation_type_declaration name: (_) @name) @interface
(enum_declaration name: (_) @name) @enum
(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @method
(compact_constructor_declaration name: (_) @name) @method
(annotation_type_element_declaration name: (_) @name) @method
(field_declaration declarator: (variable_declarator name: (_) @name)) @field
(constant_declaration declarator: (variable_declarator name: (_) @name)) @field
(enum_constant name: (_) @name) @field
(superclass (_) @name) @extends
(super_interfaces (type_list (_) @name)) @implements
(extends_interfaces (type_list (_) @name)) @extends
(import_declaration (scoped_identifier) @name) @import
(method_invocation !object name: (_) @name) @call
(method_invocation object: (_) @on name: (_) @name) @call
(object_creation_expression type: (_) @name) @call
`;

const C = `
(function_definition declarator: (function_declarator declarator: (_) @name)) @function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name))) @function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name)))) @function
(declaration declarator: (function_declarator declarator: (identifier) @name)) @prototype
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @prototype
(struct_specifier name: (_) @name body: (_)) @struct
(union_specifier name: (_) @name body: (_)) @struct
(enum_specifier name: (_) @name body: (_)) @enum
(type_definition declarator: (type_identifier) @name) @type
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @type
(type_definition declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @type
(preproc_def name: (_) @name) @constant
(preproc_function_def name: (_) @name) @macro
(enumerator name: (_) @name) @field
(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @name)) @constant)
(translation_unit (declaration declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @name))) @constant)
(preproc_include path: (_) @name) @import
(call_expression function: (identifier) @name) @call
(call_expression function: (field_expression argument: (_) @on field: (field_identifier) @name)) @call
`;

const CPP = `
${C}
(function_definition declarator: (reference_declarator (function_declarator declarator: (_) @name))) @function
(field_declaration declarator: (function_declarator declarator: (_) @name)) @prototype
(field_declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name))) @prototype
(field_declaration declarator: (reference_declarator (function_declarator declarator: (_) @name))) @prototype
(field_declaration declarator: (field_identifier) @name) @field
(class_specifier name: (_) @name body: (_)) @class
(namespace_definition name: (_) @name) @module
(alias_declaration name: (_) @name) @type
(concept_definition name: (_) @name) @type
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @name) @extends
(using_declaration (_) @name) @import
(call_expression function: (qualified_identifier scope: (_) @on name: (_) @name)) @call
(call_expression function: (template_function name: (identifier) @name)) @call
(new_expression type: (_) @name) @call
`;

const CSHARP = `
(class_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(struct_declaration name: (_) @name) @struct
(interface_declaration name: (_) @name) @interface
(enum_declaration name: (_) @name) @enum
(delegate_declaration name: (_) @name) @type
(namespace_declaration name: (_) @name) @module
(file_scoped_namespace_declaration name: (_) @name) @module
(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @method
(destructor_declaration name: (_) @name) @method
(local_function_statement name: (_) @name) @function
(property_declaration name: (_) @name) @field
(event_declaration name: (_) @name) @field
(event_field_declaration (variable_declaration (variable_declarator name: (_) @name))) @field
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @field
(enum_member_declaration name: (_) @name) @field
(base_list (_) @name) @extends
(using_directive (_) @name) @import
(invocation_expression function: (identifier) @name) @call
(invocation_expression function: (generic_name (identifier) @name)) @call
(invocation_expression function: (member_access_expression expression: (_) @on name: (identifier) @name)) @call
(invocation_expression function: (member_access_expression expression: (_) @on name: (generic_name (identifier) @name))) @call
(object_creation_expression type: (_) @name) @call
`;

const PHP = `
(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(trait_declaration name: (_) @name) @trait
(enum_declaration name: (_) @name) @enum
(namespace_definition name: (_) @name) @module
(function_definition name: (_) @name) @function
(method_declaration name: (_) @name) @method
(const_declaration (const_element (name) @name)) @constant
(property_declaration (property_element (variable_name (name) @name))) @field
(enum_case name: (_) @name) @field
(base_clause (_) @name) @extends
(class_interface_clause (_) @name) @implements
(use_declaration (_) @name) @implements
(namespace_use_clause [(qualified_name) (name)] @name) @import
(function_call_expression function: (name) @name) @call
(member_call_expression object: (_) @on name: (name) @name) @call
(scoped_call_expression scope: (_) @on name: (name) @name) @call
(object_creation_expression [(name) (qualified_name)] @name) @call
`;

const RUBY = `
(class name: (_) @name) @class
(module name: (_) @name) @module
(method name: (_) @name) @method
(singleton_method name: (_) @name) @method
(program (assignment left: (constant) @name) @constant)
(body_statement (assignment left: (constant) @name) @constant)
(alias name: (_) @name) @method
(call method: (identifier) @_made arguments: (argument_list . [(simple_symbol) (string)] @name) (#any-of? @_made "attr_reader" "attr_writer" "attr_accessor" "define_method" "alias_method" "def_delegator")) @method
(superclass (_) @name) @extends
(call !receiver method: (identifier) @_in arguments: (argument_list [(constant) (scope_resolution)] @name) (#any-of? @_in "include" "extend" "prepend")) @implements
(call !receiver method: (identifier) @_from arguments: (argument_list . (string (string_content) @name)) (#any-of? @_from "require" "require_relative" "autoload" "load")) @import
(call !receiver method: (identifier) @name) @call
(call receiver: (_) @on method: (_) @name) @call
`;

const KOTLIN = `
(class_declaration "interface" (type_identifier) @name) @interface
(class_declaration "enum" (type_identifier) @name) @enum
(class_declaration (type_identifier) @name) @class
(object_declaration (type_identifier) @name) @class
(companion_object (type_identifier) @name) @class
(function_declaration (simple_identifier) @name) @function
(type_alias (type_identifier) @name) @type
(source_file (property_declaration (variable_declaration (simple_identifier) @name)) @constant)
(class_body (property_declaration (variable_declaration (simple_identifier) @name)) @field)
(class_parameter (binding_pattern_kind) (simple_identifier) @name) @field
(enum_entry (simple_identifier) @name) @field
(_ (type_identifier) (delegation_specifier (user_type) @name) @implements)
(_ (type_identifier) (delegation_specifier (constructor_invocation (user_type) @name)) @extends)
(object_literal (delegation_specifier [(user_type) @name (constructor_invocation (user_type) @name)])) @call
(import_header (identifier) @name) @import
(call_expression . (simple_identifier) @name) @call
(call_expression . (navigation_expression (_) @on (navigation_suffix (simple_identifier) @name))) @call
`;

const SWIFT = `
(class_declaration "extension" name: (_) @name) @impl
(class_declaration "struct" name: (_) @name) @struct
(class_declaration "enum" name: (_) @name) @enum
(class_declaration name: (type_identifier) @name) @class
(protocol_declaration name: (_) @name) @interface
(function_declaration (simple_identifier) @name) @function
(protocol_function_declaration name: (simple_identifier) @name) @method
(function_declaration "init" @name) @method
(typealias_declaration name: (type_identifier) @name) @type
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @constant)
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @field)
(enum_entry name: (simple_identifier) @name) @field
(inheritance_specifier inherits_from: (_) @name) @extends
(import_declaration (identifier) @name) @import
(call_expression . (simple_identifier) @name) @call
(call_expression . (navigation_expression target: (_) @on suffix: (navigation_suffix suffix: (simple_identifier) @name))) @call
`;

const SCALA = `
(class_definition name: (_) @name) @class
(object_definition name: (_) @name) @class
(trait_definition name: (_) @name) @trait
(enum_definition name: (_) @name) @enum
(given_definition name: (_) @name) @constant
(package_object name: (_) @name) @module
(function_definition name: (_) @name) @function
(function_declaration name: (_) @name) @function
(type_definition name: (_) @name) @type
(template_body (val_definition pattern: (identifier) @name) @field)
(compilation_unit (val_definition pattern: (identifier) @name) @constant)
(extends_clause type: (_) @name) @extends
(import_declaration path: (_) @name) @import
(call_expression function: (identifier) @name) @call
(call_expression function: (field_expression value: (_) @on field: (_) @name)) @call
`;

const LUA = `
(function_declaration name: (identifier) @name) @function
(function_declaration name: (dot_index_expression field: (identifier) @name)) @function
(function_declaration name: (method_index_expression method: (identifier) @name)) @method
(assignment_statement (variable_list . name: [(identifier) @name (dot_index_expression field: (identifier) @name)]) (expression_list . value: (function_definition))) @function
(variable_declaration (assignment_statement (variable_list . name: (identifier) @name) (expression_list . value: (function_definition)))) @function
(chunk (variable_declaration (assignment_statement (variable_list . name: (identifier) @name))) @constant)
(field name: (identifier) @name value: (function_definition)) @function
(function_call name: (identifier) @_require arguments: (arguments (string content: (_) @name)) (#eq? @_require "require")) @import
(function_call name: (identifier) @name) @call
(function_call name: (dot_index_expression table: (_) @on field: (identifier) @name)) @call
(function_call name: (method_index_expression table: (_) @on method: (identifier) @name)) @call
`;

const ELIXIR = `
(call target: (identifier) @_kind (arguments . (alias) @name) (#any-of? @_kind "defmodule" "defprotocol")) @module
(call target: (identifier) @_kind (arguments . (alias) @name) (#eq? @_kind "defimpl")) @impl
(call target: (identifier) @_kind (arguments . [(call target: (identifier) @name) (identifier) @name (binary_operator left: (call target: (identifier) @name))]) (#any-of? @_kind "def" "defp" "defguard" "defdelegate")) @function
(call target: (identifier) @_kind (arguments . [(call target: (identifier) @name) (identifier) @name (binary_operator left: (call target: (identifier) @name))]) (#any-of? @_kind "defmacro" "defmacrop")) @macro
(unary_operator operator: "@" operand: (call target: (identifier) @_kind (arguments . [(binary_operator left: (call target: (identifier) @name)) (binary_operator left: (binary_operator left: (call target: (identifier) @name)))])) (#any-of? @_kind "callback" "macrocallback")) @function
(unary_operator operator: "@" operand: (call target: (identifier) @_kind (arguments . (binary_operator left: [(call target: (identifier) @name) (identifier) @name]))) (#any-of? @_kind "type" "opaque")) @type
(call target: (identifier) @_kind (arguments . (alias) @name) (#any-of? @_kind "import" "use")) @import
(call target: (identifier) @_kind (arguments . (alias) @name) (#any-of? @_kind "alias" "require")) @alias
(call target: (identifier) @_kind (arguments . (dot left: (alias) @owner right: (tuple (alias) @name))) (#any-of? @_kind "alias" "require")) @alias
(call target: (identifier) @name) @call
(call target: (dot left: (_) @on right: (identifier) @name)) @call
`;

const HASKELL = `
(function name: (_) @name) @function
(bind name: (_) @name) @function
(signature name: (_) @name) @function
(data_type name: (_) @name) @struct
(newtype name: (_) @name) @struct
(type_synomym name: (_) @name) @type
(class name: (_) @name) @trait
(instance name: (_) @name) @implements
(import module: (_) @name) @import
(apply function: (variable) @name) @call
`;

const ZIG = `
(function_declaration name: (identifier) @name) @function
(variable_declaration (identifier) @name [(struct_declaration) (union_declaration) (opaque_declaration)]) @struct
(variable_declaration (identifier) @name [(enum_declaration) (error_set_declaration)]) @enum
(source_file (variable_declaration (identifier) @name) @constant)
(test_declaration (string) @name) @function
(call_expression function: (identifier) @name) @call
(call_expression function: (field_expression object: (_) @on member: (identifier) @name)) @call
(builtin_function (builtin_identifier) @_import (arguments (string (string_content) @name)) (#eq? @_import "@import")) @import
`;

const BASH = `
(function_definition name: (_) @name) @function
(program (variable_assignment name: (_) @name) @constant)
(command name: (command_name) @_source argument: (_) @name (#any-of? @_source "source" ".")) @import
(command name: (command_name (word) @name)) @call
`;

const DART = `
(class_definition name: (_) @name) @class
(mixin_declaration (identifier) @name) @trait
(extension_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @enum
(type_alias (type_identifier) @name) @type
(function_signature name: (_) @name) @function
(getter_signature name: (_) @name) @method
(setter_signature name: (_) @name) @method
(constructor_signature name: (_) @name) @method
(superclass (type_identifier) @name) @extends
(interfaces (type_identifier) @name) @implements
(mixins (type_identifier) @name) @implements
(uri (string_literal) @name) @import
`;

export const QUERIES = {
  javascript: ONLY_JAVASCRIPT,
  typescript: TYPESCRIPT,
  tsx: TYPESCRIPT,
  python: PYTHON,
  go: GO,
  rust: RUST,
  java: JAVA,
  c: C,
  cpp: CPP,
  c_sharp: CSHARP,
  php: PHP,
  ruby: RUBY,
  kotlin: KOTLIN,
  swift: SWIFT,
  scala: SCALA,
  lua: LUA,
  elixir: ELIXIR,
  haskell: HASKELL,
  zig: ZIG,
  bash: BASH,
  dart: DART,
} as const;

export type Grammar = keyof typeof QUERIES;
