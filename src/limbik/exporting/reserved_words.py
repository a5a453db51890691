"""Words that each language keeps for itself, and names that generated code must not hide: no variable may have them.

Joints have any names. Those of a language's functions are here where its code calls them.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


C = _words(
    """
    alignas alignof asm auto bool break case char const constexpr continue default do double else enum extern false
    float for fortran goto if inline int long nullptr register restrict return short signed sizeof static
    static_assert struct switch thread_local true typedef typeof typeof_unqual union unsigned void volatile while
    near far small huge interface min max unix linux i386 errno stdin stdout stderr assert complex imaginary y0 y1
    yn j0 j1 jn sqrt sin cos floor fabs atan2 sqrtf sinf cosf floorf fabsf atan2f signbit signgam
    """
)  # some are macros: of Windows' headers, of GNU's compilers

CPP = C | _words(
    """
    and and_eq bitand bitor catch char8_t char16_t char32_t class co_await co_return co_yield compl concept
    const_cast consteval constinit decltype delete dynamic_cast explicit export final friend import module mutable
    namespace new noexcept not not_eq operator or or_eq override private protected public reinterpret_cast requires
    static_cast std template this throw try typeid typename using virtual wchar_t xor xor_eq
    """
)

CSHARP = _words(
    """
    abstract as async await base bool break byte case catch char checked class const continue decimal default
    delegate do double dynamic else enum event explicit extern false finally fixed float for foreach goto if
    implicit in int interface internal is lock long math nameof namespace new null object operator out override
    params private protected public readonly ref return sbyte sealed short sizeof stackalloc static string struct
    switch this throw true try typeof uint ulong unchecked unsafe ushort using var virtual void volatile while yield
    """
)
CSHARP_MEMBERS = frozenset(
    ["Equals", "Finalize", "GetHashCode", "GetType", "MemberwiseClone", "ReferenceEquals", "ToString"]
)

GDSCRIPT = _words(
    """
    and as assert await bool break breakpoint class class_name const continue elif else enum extends false float for
    func if in int is load match namespace not null or pass preload range return self signal static super trait true
    var void when while yield absf atan2 cos floorf lerp sign sin sqrt call callv cancel_free changed connect
    disconnect emit_signal free get get_class get_meta get_script get_signal_list has_meta has_method has_signal
    init_ref is_blocking_signals is_class is_connected notification notify_property_list_changed
    property_list_changed reference script script_changed set set_meta set_script to_string tr tr_n unreference
    """
)  # from `call` on: what every object has

JAVASCRIPT = _words(
    """
    arguments async await break case catch class const continue debugger default delete do else enum eval export
    extends f32 false finally for function if implements import in instanceof interface let new null of package
    private protected public return static super switch this throw true try typeof undefined var void while with
    yield
    """
)

RUST = _words(
    """
    abstract as async await become box break const continue crate do dyn else enum extern f32 f64 false final fn for
    gen i32 if impl in let loop macro match mod move mut override priv pub raw ref return safe self static struct
    super trait true try type typeof union unsafe unsized use virtual where while yield abs atan2 cos floor sin sqrt
    """
)  # of the editions 2015 to 2024

SHADERS = _words(
    """
    abs acos active alias all any array asin asm asfloat asint asuint asm_fragment atan atan2 atomic attribute auto
    become bitcast bool break buffer case cast catch cbuffer ceil centroid clamp class coherent column_major common
    compile const constexpr const_assert continue continuing cos cross default degrees delete determinant diagnostic
    discard distance do dot double dvec2 dvec3 dvec4 dword else enable enum exp explicit export extern external f16
    f32 false filter final fixed flat float float2 float3 float4 floor fma fn for fract frac friend from get goto
    groupshared half highp hvec2 i32 if impl import in inline inout input int interface invariant inverse isnan
    isinf layout length lerp let line lineadj linear log loop lowp macro main mat2 mat3 mat4 match matrix max
    mediump min mix mod modf module move mut namespace native new nil noinline noise noperspective normalize
    nointerpolation null nullptr of operator out output override package packoffset packed partition pass patch
    pixelfragment point pow precise precision premerge private priv protected ptr pub public radians readonly ref
    reflect refract register reinterpret requires resource restrict return round row_major sample sampler saturate
    select self set shared short sign sin sinh sizeof smooth smoothstep snorm sqrt step static stateblock string
    struct subroutine super superp switch swizzle tan tanh target tbuffer technique template texture this
    thread_local throw trait transpose triangle triangleadj true trunc try twice type typedef typename typeof u32
    unform uniform union unless unorm unsafe unsigned unsized use using uint varying vec2 vec3 vec4 vec2f vec3f
    vec4f vector vertexfragment virtual void volatile wgsl where while with workgroup writeonly yield var
    """
)  # of GLSL, HLSL and WGSL together
